// A real town: the county's outlines go in, and a real address comes out priced. The files are not part
// of the project; without them the journey is skipped, visibly.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { root } from "./harness/shingle.js";
import { contractorSite } from "./harness/site.js";

const shared = process.env.SHINGLE_SHARED ?? path.join(root, "../shared");
const outlines = path.join(shared, "data/footprints/chesapeake_va_1.shp");
const skip = existsSync(outlines) ? false : `skipped: no ${path.relative(root, outlines)}`;

let summary;
const before = async (it) => {
  summary = await it.command("import", outlines, "--map", path.join(root, "assets/maps/chesapeake-va.toml"));
};
const { shingle, browser, closing } = skip ? {} : await setUp({ environment: "production", before });
const site = skip || closing(await contractorSite((await shingle.widget()).widgetScript));

test("a real home of the imported town is found and its real outline priced", { skip }, async () => {
  assert.ok(summary, "the import answered");
  const house = await someHouse(outlines.replace(/shp$/, "dbf"));
  const visitor = await newVisitor(browser, "desktop");
  const flow = new Flow(visitor.page);
  await visitor.page.goto(site.url);
  await flow.open();
  await flow.pick(house.line, new RegExp(house.line.replace(/ \S+$/, ""), "i"));
  await flow.yes.waitFor();
  await visitor.page.getByRole("img", { name: /north/i }).first().waitFor();
  await visitor.picture("town-2-roof");
  await flow.confirmRoof();
  const email = "dana.town@example.com";
  await flow.fillDetails({ first: "Dana", last: "Whitfield", email, consent: true });
  await flow.showEstimate.click();
  await flow.estimateShown();
  await visitor.picture("town-4-estimate");

  const [lead] = (await shingle.leads()).filter((one) => one.email === email);
  const query = new URLSearchParams({ address: `${house.line}, ${house.city}, ${house.state} ${house.zip}` });
  const answer = await fetch(`${shingle.url}/api/v1/roof-estimate?${query}`, {
    headers: { token: shingle.key },
  });
  const record = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(record));
  assert.ok(record.roofArea > house.planArea * 0.95, "the roof is not smaller than its plan");
  assert.ok(record.roofArea < house.planArea * 2, `${record.roofArea} sq ft for a plan of ${house.planArea}`);
  assert.ok(Math.abs(lead.estimate.roofArea - record.roofArea) <= 1, "the widget and the API agree");
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});

/** A house in the middle of the file with a plain address, and the plan area of its outline in square feet. */
async function someHouse(dbf) {
  const table = rows(await readFile(dbf));
  const shapes = await readFile(dbf.replace(/dbf$/, "shp"));
  const index = await readFile(dbf.replace(/dbf$/, "shx"));
  const seen = new Map();
  for (const row of table) {
    const line = `${row.housenum} ${row.street_nm}`;
    seen.set(line, (seen.get(line) ?? 0) + 1);
  }
  const half = table.length >> 1;
  const at = table.findIndex((row, at) =>
    at >= half && row.building === "House" && /^\d+$/.test(row.housenum) && !row.unit &&
    seen.get(`${row.housenum} ${row.street_nm}`) === 1);
  const row = table[at];
  const offset = index.readInt32BE(100 + 8 * at) * 2 + 8;
  return {
    line: `${row.housenum} ${row.street_nm}`,
    city: row.city, state: row.state, zip: row.postcode,
    planArea: area(shapes, offset) * 10.7639,
  };
}

/** dBase III: fixed-width text. */
function rows(file) {
  const [count, head, width] = [file.readUInt32LE(4), file.readUInt16LE(8), file.readUInt16LE(10)];
  const fields = [];
  for (let at = 32; file[at] !== 13; at += 32) {
    fields.push({ name: file.toString("latin1", at, at + 11).replace(/\0.*/s, ""), length: file[at + 16] });
  }
  return Array.from({ length: count }, (_, number) => {
    let at = head + number * width + 1;
    return Object.fromEntries(fields.map(({ name, length }) => [name, file.toString("latin1", at, (at += length)).trim()]));
  });
}

/** Square meters of a polygon in degrees, on the sphere flattened at its latitude. */
function area(file, at) {
  const [parts, points] = [file.readInt32LE(at + 36), file.readInt32LE(at + 40)];
  const first = at + 44 + 4 * parts;
  const point = (n) => [file.readDoubleLE(first + 16 * n), file.readDoubleLE(first + 16 * n + 8)];
  const latitude = point(0)[1];
  const [east, north] = [111_320 * Math.cos((latitude * Math.PI) / 180), 110_950];
  let twice = 0;
  const end = parts > 1 ? file.readInt32LE(at + 48) : points;
  for (let n = 0; n + 1 < end; n++) {
    const [[x, y], [u, v]] = [point(n), point(n + 1)];
    twice += (x * v - u * y) * east * north;
  }
  return Math.abs(twice) / 2;
}
