// A home whose roof an import measured in laser points: the homeowner sees its planes and the survey's year, and widget and
// API price the same roof.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { AREA, PORCH, outline, tile } from "./harness/laser-points.js";
import { setUp } from "./harness/setup.js";
import { contractorSite } from "./harness/site.js";

const folder = await mkdtemp(path.join(os.tmpdir(), "shingle-survey-"));
after(() => rm(folder, { recursive: true, force: true }));
const file = (name) => path.join(folder, name);
await writeFile(file("outlines.geojson"), outline({ number: "14", street: "Alder Court", kind: "house" }));
await writeFile(file("tile.las"), tile());
await writeFile(file("harrow.toml"), `
dataset = "harrow"
as_of = "2024"
title = "Harrow County"
[geometry]
outline_kind = "eave"
[place]
building_use = "kind"
[address]
number = "number"
street = "street"
city = { constant = "Harrow" }
state = { constant = "OH" }
zip = { constant = "43099" }
[layers.points]
files = "*.las"
title = "Ohio survey"
`);

let notes;
const before = async (it) => {
  const summary = await it.command("import", file("outlines.geojson"), file("tile.las"), "--map", file("harrow.toml"));
  notes = summary.notes.join("\n");
};
const { shingle, browser, closing } = await setUp({ environment: "production", before });
const site = closing(await contractorSite((await shingle.widget()).widgetScript));

test("a roof that was measured from the air is drawn with its planes, and widget and API price the same", async () => {
  assert.match(notes, /roofs measured: 1 of 1/);
  const visitor = await newVisitor(browser, "desktop");
  const flow = new Flow(visitor.page);
  await visitor.page.goto(site.url);
  await flow.open();
  await flow.pick("14 Alder", /14 Alder/i);
  await flow.yes.waitFor();
  const drawing = visitor.page.getByRole("img", { name: /north/i }).first();
  await drawing.waitFor();
  await visitor.page.getByText("Ohio survey").first().waitFor();
  await visitor.page.getByText("2021").first().waitFor();
  await visitor.picture("survey-2-roof");
  await flow.confirmRoof();
  const email = "dana.survey@example.com";
  await flow.fillDetails({ first: "Dana", last: "Whitfield", email, consent: true });
  await flow.showEstimate.click();
  await flow.estimateShown();
  // The porch is too flat for shingles.
  const parts = visitor.page.locator("dl.parts");
  await parts.getByText("Low slope: a membrane").waitFor();
  await parts.getByText("Asphalt shingle").waitFor();
  await visitor.picture("survey-4-estimate");

  const [lead] = (await shingle.leads()).filter((one) => one.email === email);
  const query = new URLSearchParams({ address: "14 Alder Court, Harrow, OH 43099", include: "segments,provenance,range" });
  const answer = await fetch(`${shingle.url}/api/v1/roof-estimate?${query}`, { headers: { token: shingle.key } });
  const record = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(record));
  assert.ok(Math.abs(record.roofArea / AREA - 1) < 0.01, `${record.roofArea} of ${AREA}`);
  const [low, shingles] = record.range.parts;
  assert.deepEqual([low.work, shingles.work], ["lowSlope", "covering"]);
  // A step in height is known to the distance of two points: a third of a meter.
  assert.ok(Math.abs(low.roofArea / PORCH - 1) < 0.08, `${low.roofArea} of ${PORCH}`);
  assert.ok(Math.abs(low.cost + shingles.cost - record.roofCostEstimate) < 0.01);
  const { pointsPerSquareMeter } = record.provenance.fields.roofArea;
  assert.ok(pointsPerSquareMeter > 7 && pointsPerSquareMeter < 12, `${pointsPerSquareMeter}`);
  const [price] = lead.estimate.prices;
  assert.equal(lead.estimate.roofArea, record.roofArea, "the widget and the API agree");
  assert.deepEqual([price.cost, price.parts], [record.roofCostEstimate, record.range.parts]);
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});
