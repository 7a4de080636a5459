// What a page's own script may do with a widget, and what it is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { minimalSite, staticSite } from "./harness/site.js";
import { pageOf } from "./fixtures/host-pages.js";

const { shingle, browser } = await setUp();
const widget = await shingle.widget();

const layer = "<script>var dataLayer = [];</script>";
/** The names of what the page was told, without steps. */
const told = (page) => page.evaluate(() => dataLayer.map(({ event, step }) => (step ? null : event)).filter(Boolean));

async function visit(record, head = layer, size = "desktop") {
  const site = await minimalSite(record.widgetScript, head);
  const visitor = await newVisitor(browser, size);
  await visitor.page.goto(site.url);
  return { ...visitor, flow: new Flow(visitor.page), leave: () => visitor.leave().then(site.stop) };
}

test("what the page knows of a visitor is there at every opening", async () => {
  const { page, flow, leave } = await visit(widget);
  await flow.launcher.waitFor();
  await page.evaluate(() => shingle.prefill({ address: "14 Alder Court", firstName: "Dana", email: "dana@example.com" }));
  for (let opening = 0; opening < 2; opening++) {
    await flow.open();
    await page.waitForFunction(() => document.querySelector("shingle-launcher").shadowRoot.querySelector("#sh-address").value.startsWith("14 Alder Court"));
    await flow.measureIfAsked();
    await flow.confirmRoof();
    assert.equal(await page.getByLabel("First name").inputValue(), "Dana", `opening ${opening + 1}`);
    assert.equal(await page.getByLabel("Email").inputValue(), "dana@example.com");
    await page.evaluate(() => shingle.close());
    await page.locator("dialog").waitFor({ state: "detached" });
    // Nothing of the visitor's own is at stake here: only what the page says again.
    await page.evaluate(() => sessionStorage.clear());
  }
  await leave();
});

test("closed and opened at once, it is open, and the page can still be locked and unlocked", async () => {
  const { page, flow, problems, leave } = await visit(widget);
  await flow.open();
  await page.evaluate(() => { shingle.close(); shingle.open(); });
  await flow.address.waitFor();
  assert.equal(await page.locator("dialog[open]").count(), 1);
  await page.evaluate(() => { shingle.toggle(); shingle.toggle(); shingle.toggle(); });
  await page.locator("dialog").waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).overflow), "visible");
  assert.deepEqual(problems, []);
  await leave();
});

test("the page gets each stage once, and the form stage when it is reached", async () => {
  const { page, flow, leave } = await visit(widget);
  await flow.open();
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.confirmRoof();
  const sofar = ["shingle_view", "shingle_open", "shingle_address", "shingle_contact"];
  assert.deepEqual(await told(page), sofar);
  await flow.fillDetails({ first: "Dana", last: "Whitfield", email: "dana.told@example.com" });
  await flow.showEstimate.click();
  await flow.estimateShown();
  assert.deepEqual(await told(page), [...sofar, "shingle_submit", "shingle_estimate"]);
  await leave();
});

test("where the hosted page stands in, the page around it is told all the same, in its language", async () => {
  const policy = { "content-security-policy": "script-src 'self' 'unsafe-inline' http://127.0.0.1:*" };
  const html = pageOf({ head: `${layer}<script>document.documentElement.lang = "es"</script>${widget.widgetScript}` });
  const site = await staticSite({ "/": { html, headers: policy } });
  const visitor = await newVisitor(browser, "desktop");
  const { page } = visitor;
  await page.goto(site.url);
  await page.locator(".sl").click();
  const frame = page.frameLocator("iframe");
  await frame.locator(".sh[lang=es] #sh-list").waitFor({ state: "attached" });
  assert.equal(await frame.locator("html").getAttribute("lang"), "es");
  await frame.locator("#sh-address").pressSequentially("14 Alder Co");
  await frame.locator("#sh-options > li").first().click();
  const next = frame.locator(".sh-actions .primary");
  await frame.locator("[data-screen=roof], .sh-actions .primary:not([aria-disabled])").first().waitFor();
  if (!(await frame.locator("[data-screen=roof]").count())) await next.click();
  await frame.locator("[data-screen=roof]").waitFor();
  await next.click();
  for (const [name, text] of [["first", "Dana"], ["last", "Whitfield"], ["email", "dana.framed@example.com"]])
    await frame.locator(`#sh-${name}`).pressSequentially(text, { delay: 30 });
  await next.click();
  await frame.locator("[data-screen=estimate]").waitFor();
  assert.deepEqual(await told(page), ["shingle_view", "shingle_open", "shingle_error", "shingle_address", "shingle_contact",
    "shingle_submit", "shingle_estimate"]);
  await visitor.leave();
  await site.stop();
});

test("a banner over the page leaves room for its end, however high it becomes", async () => {
  const banner = { elementType: "banner", elementLocation: "bottom", bannerText: "What would a new roof cost? See it in a minute." };
  const { page, leave } = await visit(await shingle.widget(banner));
  await page.locator(".sb").waitFor();
  const heights = [];
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 700 });
    const { height } = await page.locator(".sb").boundingBox();
    await page.waitForFunction((height) => Math.abs(parseFloat(getComputedStyle(document.documentElement).paddingBottom) - height) < 1, height);
    heights.push(height);
  }
  assert.ok(heights[1] > heights[0] + 20, `it has become higher: ${heights}`);
  await page.getByRole("button", { name: "Hide this banner" }).click();
  await page.waitForFunction(() => getComputedStyle(document.documentElement).paddingBottom == "0px");
  await leave();
});
