// The photograph from the air under the drawing: it fades in by itself, never keeps anybody waiting, and can be switched off.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { violations } from "./harness/accessibility.js";
import { newVisitor, picture } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { writeOrtho } from "./harness/ortho.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";

const home = "14 Alder Court, Harrow Falls, ME 04995";
const before = async (it) => {
  const { evidence } = await it.command("lookup", home, "--sample-town");
  const file = path.join(it.data, "usda.tif");
  await writeOrtho(file, evidence.place.origin);
  const loaded = await it.command("import", file, "--taken", "2023-07", "--credit", "USDA, public domain");
  assert.equal(loaded.pictures.length, 1);
};
const { shingle, browser, closing } = await setUp({ before });
const widget = await shingle.widget();
const site = closing(await minimalSite(widget.widgetScript));
const aerial = "**/storage/aerial/*.webp";

async function atTheRoof(viewport, { route, ...options } = {}) {
  const visitor = await newVisitor(browser, { viewport, ...options });
  const { page } = visitor;
  const asked = [];
  page.on("request", (request) => request.url().includes("/aerial/") && asked.push(request.url()));
  if (route) await page.route(aerial, route);
  const flow = new Flow(page);
  await page.goto(site.url);
  await flow.open();
  assert.deepEqual(asked, [], "nothing is asked for before there is a roof");
  await flow.pick("14 Alder", /14 Alder/i);
  await flow.yes.waitFor();
  return { ...visitor, flow, page, asked, body: page.locator(".sh-body") };
}

const shown = (body) => body.and(body.page().locator("[data-photo=shown]")).waitFor();
const opacity = (page) => page.locator(".aerial").evaluate((el) => Number(getComputedStyle(el).opacity));

for (const [width, height] of [[320, 640], [390, 844], [683, 384], [1280, 900]]) {
  test(`it lies under the lines, dated, with a switch, ${width} x ${height}`, async () => {
    const { page, body, asked, leave } = await atTheRoof({ width, height });
    await shown(body);
    await page.waitForFunction(() => {
      const root = document.querySelector("shingle-launcher").shadowRoot;
      return getComputedStyle(root.querySelector(".aerial")).opacity == "1";
    });
    assert.equal(asked.length, 1);
    assert.ok(asked[0].startsWith(shingle.url), "nobody but our server is asked");
    await page.getByText("Photo, July 2023").waitFor();
    await page.getByText("Photo: July 2023, USDA, public domain.").waitFor();
    await picture(page, `aerial-${width}-photo`);
    const photo = page.getByRole("radio", { name: "Photo from July 2023" });
    const drawing = page.getByRole("radio", { name: "Drawing" });
    assert.ok(await photo.isChecked());
    const box = await page.locator(".sh-view").boundingBox();
    const plan = await page.locator(".sh-pane .plan").first().boundingBox();
    assert.ok(box.height >= 40 && box.x + box.width <= Math.ceil(plan.x + plan.width), JSON.stringify({ box, plan }));
    await page.locator(".sh-view").getByText("Drawing").click();
    assert.ok(await drawing.isChecked());
    await page.waitForFunction(() => {
      const root = document.querySelector("shingle-launcher").shadowRoot;
      return getComputedStyle(root.querySelector(".aerial")).opacity == "0";
    });
    await picture(page, `aerial-${width}-drawing`);
    // By keyboard.
    await drawing.press("ArrowRight");
    assert.ok(await photo.isChecked());
    await shown(body);
    assert.deepEqual(await violations(page), []);
    await leave();
  });
}

test("what was chosen stays for the steps that follow", async () => {
  const { page, flow, body, leave } = await atTheRoof({ width: 1280, height: 900 });
  await shown(body);
  await page.locator(".sh-view").getByText("Drawing").click();
  await flow.confirmRoof();
  await page.getByRole("radio", { name: "Drawing" }).waitFor();
  assert.ok(await page.getByRole("radio", { name: "Drawing" }).isChecked());
  assert.equal(await opacity(page), 0);
  await leave();
});

test("a late photograph changes nothing but offers the switch", async () => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const visitor = await newVisitor(browser, { viewport: { width: 390, height: 844 } });
  const { page } = visitor;
  await page.clock.install();
  await page.route(aerial, async (route) => {
    await held;
    await route.continue();
  });
  const flow = new Flow(page);
  await page.goto(site.url);
  await flow.open();
  await flow.pick("14 Alder", /14 Alder/i);
  await flow.yes.waitFor();
  assert.equal(await page.locator(".sh-view").isVisible(), false, "no switch while it is on its way");
  await page.clock.fastForward(9_000);
  release();
  await page.locator(".sh-body[data-photo=ready]").waitFor();
  assert.ok(await page.getByRole("radio", { name: "Drawing" }).isChecked());
  await page.locator(".sh-view").getByText("Photo").click();
  await page.locator(".sh-body[data-photo=shown]").waitFor();
  await visitor.leave();
});

test("one that does not come leaves no word and no gap", async () => {
  const { page, flow, leave } = await atTheRoof({ width: 390, height: 844 }, { route: (route) => route.abort() });
  await page.getByText("Is this your roof?").waitFor();
  assert.equal(await page.locator(".sh-view").isVisible(), false);
  assert.equal(await page.getByText("USDA").isVisible(), false);
  await flow.confirmRoof();
  await leave();
});

test("forced colors and a dark card keep the switch and the lines", async () => {
  const { page, body, leave } = await atTheRoof({ width: 390, height: 844 }, { forcedColors: "active" });
  await shown(body);
  await picture(page, "aerial-forced-colors");
  assert.deepEqual(await violations(page), []);
  await leave();
});

test("without scripts the page has it, and the switch works", async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(widget.hostedPageLink);
  await page.getByLabel("Your home address").fill("14 Alder Court");
  await page.getByRole("button", { name: "Measure my roof" }).click();
  await page.getByRole("heading", { level: 1, name: "Is this your roof?" }).waitFor();
  await page.getByText("Photo, July 2023").waitFor();
  await picture(page, "aerial-noscript");
  await page.locator(".sh-view").getByText("Drawing").click();
  await page.getByText("Photo, July 2023").waitFor({ state: "hidden" });
  await context.close();
});
