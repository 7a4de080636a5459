// The steps as they look at three widths, the most important ones in every window, and the launchers. How to renew the pictures: harness/screenshots.js.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newVisitor, windows } from "./harness/browser.js";
import { mockResponses, realResponses, MockApi } from "./harness/mock-api.js";
import { Screenshots } from "./harness/screenshots.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";
import { Walkthrough } from "./harness/walkthrough.js";

const widths = { phone: [390, 844], tablet: [768, 1024], desktop: [1280, 900] };
const steps = ["address", "address, list", "measuring", "not-found", "roof, several buildings", "roof", "details, errors",
  "details, closing", "unsent", "estimate, flags", "thanks"];
/** Looked at in every window; the others at three widths. */
const keySteps = ["address", "roof", "details, errors", "estimate, flags", "thanks"];
const otherWindows = windows.filter(({ width }) => !Object.values(widths).some(([known]) => known == width));
const banner = { elementType: "banner", bannerText: "What would a new roof cost? See it in a minute.", bannerBackgroundColor: "#14365c" };

const screenshots = new Screenshots();

const { shingle, browser } = await setUp();
const responses = mockResponses(await realResponses(shingle, await shingle.widget()));
// Without days: they go by.
responses.booked = responses.receipt;
after(() => screenshots.close());

async function openPage([width, height], changes, before = "") {
  const widget = await shingle.widget({ removeFooterLogo: "true", ...changes });
  const site = await minimalSite(before + widget.widgetScript);
  const visitor = await newVisitor(browser, { viewport: { width, height } });
  await visitor.page.addInitScript(() => [localStorage, sessionStorage].forEach((kept) => kept.clear()));
  const enter = async (launcher = ".sl") => {
    await visitor.page.goto(site.url);
    await visitor.page.locator(launcher).waitFor();
  };
  return { page: visitor.page, enter, leave: () => visitor.leave().then(site.stop) };
}

/** Fails for what differs. A test whose pixels this machine's fonts do not let it compare counts as skipped. */
function judge(t, results) {
  assert.deepEqual(results.flatMap(({ wrong }) => wrong), []);
  const skipped = results.flatMap(({ skipped }) => skipped ?? []);
  if (skipped.length) t.skip(`${skipped.length} pictures not compared by pixels, as ${skipped[0]}`);
}

for (const [name, size] of [...Object.entries(widths), ["every other window", widths.phone]]) {
  test(`the steps look as they did, ${name}`, async (t) => {
    const { page, enter, leave } = await openPage(size);
    const results = [];
    const [wanted, views] = widths[name] ? [steps, [{ width: size[0], height: size[1] }]] : [keySteps, otherWindows];
    const api = await MockApi.on(page);
    const open = async () => {
      await enter();
      await page.locator(".sl").click();
      await page.locator("[data-screen=address] #sh-address:focus").waitFor();
    };
    const at = async (state) => {
      if (!wanted.includes(state)) return;
      const text = state.startsWith("estimate") ? ".price" : ".sh-title";
      // Seconds go by.
      const still = page.locator(".sh-small[aria-hidden], .sh-note b[aria-hidden]");
      if (await still.count()) await still.first().evaluate((el) => (el.style.visibility = "hidden"));
      // The link ends on another day each day, in a month with a longer name or a shorter one.
      for (const sentence of await page.getByText(/ until \w+ \d+, \d{4}/).all()) {
        await sentence.evaluate((it) => (it.textContent = it.textContent.replace(/ until \w+ \d+, \d{4}/, " until February 26, 2027")));
      }
      for (const view of views) {
        await page.setViewportSize(view);
        const called = widths[name] ? name : `${view.width}x${view.height}`;
        results.push(await screenshots.compare(page, `${called}-${state.replace(", ", "-").replaceAll(" ", "-")}`, { text }));
      }
      await page.setViewportSize({ width: size[0], height: size[1] });
    };
    await new Walkthrough(page, api, responses, open, at).mainPath();
    assert.equal(results.length, wanted.length * views.length);
    judge(t, results);
    await leave();
  });
}

for (const [name, size] of Object.entries(widths)) {
  test(`the launchers look as they did, ${name}`, async (t) => {
    const kinds = ["small", "medium", "large"].flatMap((elementSize) => [
      ...["bottom_right", "bottom_left", "side_right", "side_left"].map((elementLocation) => ({ elementSize, elementLocation })),
      ...["top", "bottom"].map((elementLocation) => ({ ...banner, elementSize, elementLocation })),
    ]);
    const results = [];
    const { page, leave } = await newVisitor(browser, { viewport: { width: size[0], height: size[1] } });
    for (const kind of kinds) {
      const { widgetScript } = await shingle.widget({ removeFooterLogo: "true", ...kind });
      const site = await minimalSite(widgetScript);
      await page.goto(site.url);
      await page.locator(".sl").waitFor();
      const called = `${kind.elementType ?? "button"}-${kind.elementSize}-${kind.elementLocation}`;
      const clip = await around(page, kind.elementType ? ".sb" : ".sl", size);
      results.push(await screenshots.compare(page, `${name}-${called}`, { clip, text: ".sl span" }));
      await site.stop();
    }
    await leave();
    judge(t, results);
  });

  test(`the card looks as it did, ${name}`, async (t) => {
    const { page, enter, leave } = await openPage(size, { elementType: "custom", elementLocation: undefined }, "<shingle-estimate></shingle-estimate>");
    await enter(".sc");
    const clip = await around(page, ".sc", size);
    judge(t, [await screenshots.compare(page, `${name}-card`, { clip, text: "h2", within: "shingle-estimate" })]);
    await leave();
  });
}

/** The part of the page with this and a little of what is around it. */
async function around(page, selector, [width, height]) {
  await page.locator(selector).scrollIntoViewIfNeeded();
  const box = await page.locator(selector).boundingBox();
  const [x, y] = [Math.max(0, box.x - 12), Math.max(0, box.y - 12)];
  return { x, y, width: Math.min(width, box.x + box.width + 12) - x, height: Math.min(height, box.y + box.height + 12) - y };
}
