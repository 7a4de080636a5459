// The launcher keeps off what a page has fixed at its place, and moves nothing of the page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newVisitor, sizes } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./harness/shingle.js";
import { minimalSite, staticSite } from "./harness/site.js";

const { shingle, browser, closing } = await setUp();

const cookies = `<div id="cookies" style="position:fixed;left:0;right:0;bottom:0;height:70px;z-index:99999;background:#ddd">
<button onclick="this.parentNode.remove()">Accept all</button></div>`;
const navigation = '<nav style="position:fixed;left:0;right:0;top:0;height:64px;background:#ccd"><a href="/">Home</a></nav>';

async function arrive(html, fields, size = "desktop") {
  const widget = await shingle.widget(fields);
  const site = closing(await minimalSite(html + widget.widgetScript));
  const visitor = await newVisitor(browser, size);
  const { page } = visitor;
  await page.goto(site.url);
  const launcher = page.locator(fields?.elementType == "banner" ? ".sb" : ".sl");
  await launcher.waitFor();
  const bottom = async () => {
    const { y, height } = await launcher.boundingBox();
    return Math.round(y + height);
  };
  /** Waits for the place: it is taken in the next frame. */
  const endsAt = (wanted) => page.waitForFunction(([tag, wanted]) => {
    const { bottom } = document.querySelector("shingle-launcher").shadowRoot.querySelector(tag).getBoundingClientRect();
    return Math.abs(bottom - wanted) < 1;
  }, [fields?.elementType == "banner" ? ".sb" : ".sl", wanted]);
  return { page, launcher, bottom, endsAt, leave: visitor.leave };
}

test("a bar for cookies lifts the button, also when it comes late, and closing the bar lets it down", async () => {
  for (const size of [sizes.desktop, sizes.phone]) {
    const { height } = size.viewport;
    const { page, endsAt, leave } = await arrive("", {}, size);
    await endsAt(height - 20);
    await page.evaluate((html) => document.body.insertAdjacentHTML("beforeend", html), cookies);
    await endsAt(height - 70 - 8);
    await page.getByRole("button", { name: "Accept all" }).click();
    await endsAt(height - 20);
    await leave();
  }
});

test("a layer over the whole page is no bar", async () => {
  const layer = '<div style="position:fixed;inset:0;pointer-events:auto;background:#0001"></div>';
  const { page, bottom, leave } = await arrive(layer);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await bottom(), 900 - 20);
  await leave();
});

test("a banner at the bottom stands on a bar, and one at the top below a navigation", async () => {
  const banner = { elementType: "banner", bannerText: "What would a new roof cost?" };
  const below = await arrive(cookies, { ...banner, elementLocation: "bottom" });
  await below.endsAt(900 - 70);
  await below.leave();
  const { page, launcher, leave } = await arrive(navigation, { ...banner, elementLocation: "top" });
  await page.waitForFunction(() => {
    const { top } = document.querySelector("shingle-launcher").shadowRoot.querySelector(".sb").getBoundingClientRect();
    return Math.abs(top - 64) < 1;
  });
  assert.ok(await launcher.isVisible());
  await leave();
});

test("the settings move the button into the page", async () => {
  const widget = await shingle.widget();
  await shingle.api("PUT", `/api/v1/roof-estimate-widget/${widget.referenceId}/settings`, { launcher: { offsetX: 12, offsetY: 40 } });
  const site = closing(await minimalSite(widget.widgetScript));
  const { page, leave } = await newVisitor(browser, "desktop");
  await page.goto(site.url);
  await page.locator(".sl").waitFor();
  const box = await page.locator(".sl").boundingBox();
  assert.deepEqual([box.x + box.width, box.y + box.height].map(Math.round), [1280 - 20 - 12, 900 - 20 - 40]);
  await leave();
});

test("the card as the manual prints it moves nothing when it comes", async () => {
  const printed = readFileSync(path.join(root, "www/README.md"), "utf8").match(/<shingle-estimate .*<\/shingle-estimate>/)[0];
  const { widgetScript } = await shingle.widget({ elementType: "custom", elementLocation: undefined });
  const html = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Q</title>
    <body style="margin:16px">${printed}<p>${"What comes after the card. ".repeat(40)}</p>${widgetScript}`;
  const site = closing(await staticSite({ "/": { html } }));
  for (const width of [320, 390, 768, 1280]) {
    const { page, leave } = await newVisitor(browser, { viewport: { width, height: 800 } });
    await page.addInitScript(() => {
      window.shifts = [];
      new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((one) => one.value))).observe({ type: "layout-shift", buffered: true });
    });
    // The card comes after the page was seen.
    await page.route(/\.js$/, async (route) => {
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await route.continue();
    });
    await page.goto(site.url);
    await page.locator(".sc").waitFor();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.deepEqual(await page.evaluate(() => window.shifts), [], `${width} px wide`);
    await leave();
  }
});
