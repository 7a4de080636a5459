// Laser points of a house as a survey delivers them, and its outline: a hipped roof of 8/12, and a porch to the south whose
// roof is nearly flat.

const LATITUDE = 40.25;
const LONGITUDE = -82.51;
/** Meters of a degree. */
const EAST = 85_036;
const NORTH = 111_045;
const WIDTH = 14;
const DEPTH = 10;
const WING = { width: 6, depth: 5 };
export const SLOPE = 8 / 12;
const PORCH_SLOPE = 0.5 / 12;
const SQUARE_FEET = 10.7639;
/** Square feet along the slope. */
export const PORCH = WING.width * WING.depth * Math.hypot(1, PORCH_SLOPE) * SQUARE_FEET;
export const AREA = WIDTH * DEPTH * Math.hypot(1, SLOPE) * SQUARE_FEET + PORCH;

/** Meters above the ground. */
function height(x, y) {
  const within = (low, v, high) => v >= low && v <= high;
  if (within(0, x, WIDTH) && within(0, y, DEPTH)) return 3 + Math.min(x, WIDTH - x, y, DEPTH - y) * SLOPE;
  const porch = within(0, x, WING.width) && within(-WING.depth, y, 0);
  return porch ? 2.2 + (y + WING.depth) * PORCH_SLOPE : 0;
}

const degrees = (x, y) => [LONGITUDE + x / EAST, LATITUDE + y / NORTH];

/** GeoJSON with the properties of an address. */
export function outline(properties) {
  const corners = [[0, 0], [0, -WING.depth], [WING.width, -WING.depth], [WING.width, 0], [WIDTH, 0], [WIDTH, DEPTH], [0, DEPTH], [0, 0]];
  const geometry = { type: "Polygon", coordinates: [corners.map(([x, y]) => degrees(x, y))] };
  return JSON.stringify({ type: "FeatureCollection", features: [{ type: "Feature", properties, geometry }] });
}

/** LAS 1.2 in longitude and latitude, nine points a square meter, flown on 2021-04-01. */
export function tile() {
  const points = [];
  for (let x = -7; x < WIDTH + 7; x += 1 / 3) {
    for (let y = -12; y < DEPTH + 7; y += 1 / 3) {
      // No two points of a survey stand in a row.
      const [dx, dy] = [0.1 * Math.sin(91 * x + 17 * y), 0.1 * Math.cos(37 * x - 53 * y)];
      points.push([...degrees(x + dx, y + dy), 250 + height(x + dx, y + dy) + 0.02 * Math.sin(311 * x * y)]);
    }
  }
  const keys = Uint16Array.from([1, 1, 0, 2, 1024, 0, 1, 2, 2048, 0, 1, 4326]);
  const head = Buffer.alloc(227 + 54 + keys.byteLength);
  head.write("LASF");
  head[6] = 1;
  head[24] = 1;
  head[25] = 2;
  head.writeUInt16LE(227, 94);
  head.writeUInt32LE(head.length, 96);
  head.writeUInt32LE(1, 100);
  head[104] = 1;
  head.writeUInt16LE(28, 105);
  head.writeUInt32LE(points.length, 107);
  head.writeUInt32LE(points.length, 111);
  const scale = [1e-8, 1e-8, 1e-3];
  const offset = [LONGITUDE, LATITUDE, 0];
  for (const axis of [0, 1, 2]) {
    const values = points.map((point) => point[axis]);
    head.writeDoubleLE(scale[axis], 131 + 8 * axis);
    head.writeDoubleLE(offset[axis], 155 + 8 * axis);
    head.writeDoubleLE(Math.max(...values), 179 + 16 * axis);
    head.writeDoubleLE(Math.min(...values), 187 + 16 * axis);
  }
  head.write("LASF_Projection", 229);
  head.writeUInt16LE(34735, 245);
  head.writeUInt16LE(keys.byteLength, 247);
  Buffer.from(keys.buffer).copy(head, 281);
  const records = points.map((point) => {
    const record = Buffer.alloc(28);
    for (const axis of [0, 1, 2]) record.writeInt32LE(Math.round((point[axis] - offset[axis]) / scale[axis]), 4 * axis);
    // The only return of its pulse; nobody classified it.
    record[14] = 9;
    record[15] = 1;
    record.writeDoubleLE(1_301_270_400 - 1e9, 20);
    return record;
  });
  return Buffer.concat([head, ...records]);
}
