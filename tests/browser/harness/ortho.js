// A photograph from the air of the journeys' own: an uncompressed GeoTIFF in degrees of WGS 84, with painted houses.

import { writeFile } from "node:fs/promises";

const SIDE = 700;
/** Degrees of latitude of a pixel: about 0.3 m. */
const PIXEL = 0.3 / 111_132;

/** Grass with grain, streets, and a roof of two sides in the middle and around it. */
function town(x, y) {
  const grain = (x * 7 + y * 13) % 17;
  const [across, down] = [x % 70, y % 100];
  if (down > 70 && down < 90) return [120 + grain, 118 + grain, 122 + grain];
  if (across > 10 && across < 55 && down > 15 && down < 55) return down < 35 ? [150 + grain, 105, 85] : [95 + grain, 65, 55];
  return [70 + grain, 105 + grain, 60];
}

/** Writes one about a place; `color` says what a pixel has. */
export async function writeOrtho(file, { longitude, latitude }, color = town) {
  const across = PIXEL / Math.cos((latitude * Math.PI) / 180);
  const data = Buffer.alloc(SIDE * SIDE * 3);
  for (let y = 0; y < SIDE; y++) for (let x = 0; x < SIDE; x++) data.set(color(x, y), (y * SIDE + x) * 3);
  const shorts = (...all) => Buffer.from(new Uint16Array(all).buffer);
  const long = (n) => Buffer.from(new Uint32Array([n]).buffer);
  const doubles = (...all) => Buffer.from(new Float64Array(all).buffer);
  const entries = [
    [256, 4, 1, long(SIDE)],
    [257, 4, 1, long(SIDE)],
    [258, 3, 3, shorts(8, 8, 8)],
    [259, 3, 1, shorts(1)],
    [262, 3, 1, shorts(2)],
    [273, 4, 1, long(0)],
    [277, 3, 1, shorts(3)],
    [278, 4, 1, long(SIDE)],
    [279, 4, 1, long(data.length)],
    [33550, 12, 3, doubles(across, PIXEL, 0)],
    [33922, 12, 6, doubles(0, 0, 0, longitude - (across * SIDE) / 2, latitude + (PIXEL * SIDE) / 2, 0)],
    // Geographic, pixel is area, WGS 84.
    [34735, 3, 16, shorts(1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326)],
  ];
  const head = 8 + 2 + entries.length * 12 + 4;
  const large = entries.filter(([, , , value]) => value.length > 4);
  const offset = head + large.reduce((sum, [, , , value]) => sum + value.length, 0);
  entries[5][3] = long(offset);
  let at = head;
  const table = entries.map(([tag, kind, count, value]) => {
    const inside = value.length > 4 ? long(at) : Buffer.concat([value, Buffer.alloc(4)]).subarray(0, 4);
    if (value.length > 4) at += value.length;
    return Buffer.concat([shorts(tag, kind), long(count), inside]);
  });
  const start = Buffer.concat([Buffer.from("II*\0"), long(8), shorts(entries.length), ...table, long(0)]);
  await writeFile(file, Buffer.concat([start, ...large.map(([, , , value]) => value), data]));
}
