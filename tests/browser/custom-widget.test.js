// A custom widget: the card that a site places itself, elements that open the flow, and the page's own script.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { moving, newVisitor, sizes } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { root } from "./harness/shingle.js";
import { contractorSite, minimalSite } from "./harness/site.js";

const { shingle, browser } = await setUp();

const custom = () => shingle.widget({ elementType: "custom", elementLocation: undefined });
/** Waits until the address field of the open flow begins with this, or is empty: it is filled in a moment after it is
 * there, and completed once the address is known. */
const holds = (page, text) =>
  page.waitForFunction((text) => {
    const hosts = [...document.querySelectorAll("shingle-launcher")];
    const values = hosts.map((host) => host.shadowRoot.querySelector("#sh-address")?.value);
    return values.some((value) => (text ? value?.startsWith(text) : value === ""));
  }, text);
const inline = (more) => `<section id="here"><shingle-estimate></shingle-estimate></section>${more}`;

for (const size of Object.keys(sizes)) {
  test(`an address typed into the card is there when the flow opens, ${size}`, async () => {
    const widget = await custom();
    const site = await contractorSite(inline(widget.widgetScript));
    const visitor = await newVisitor(browser, { ...sizes[size], ...moving });
    const { page } = visitor;
    await page.goto(site.url);
    const card = page.getByRole("form", { name: "See what a new roof would cost" });
    await card.scrollIntoViewIfNeeded();
    await visitor.picture(`${size}-card`);
    await card.getByRole("textbox", { name: "Your home address" }).fill("14 Alder Co");
    await card.getByRole("button", { name: "Measure my roof" }).click();
    const flow = new Flow(page);
    await flow.address.waitFor();
    await holds(page, "14 Alder Co");
    await flow.suggestion(/14 Alder Court/).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await visitor.leave();
    await site.stop();
    assert.deepEqual(visitor.problems, []);
  });
}

for (const size of Object.keys(sizes)) {
  test(`a card that has room in the page moves nothing, however late it comes, ${size}`, async () => {
    const readme = await readFile(path.join(root, "www/package/README.md"), "utf8");
    const room = readme.match(/```css\n([^]+?)```/)[1];
    const { widgetScript } = await custom();
    const site = await minimalSite(`<section><shingle-estimate></shingle-estimate></section><p>What comes after it.</p>${widgetScript}`, `<style>${room}</style>`);
    const visitor = await newVisitor(browser, { ...sizes[size], ...moving });
    const { page } = visitor;
    await page.addInitScript(() => {
      window.shift = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (shift += entry.value))).observe({ type: "layout-shift", buffered: true });
    });
    let come;
    const late = new Promise((resolve) => (come = resolve));
    await page.route(/\/w\/[^/]+\.js$/, async (route) => route.continue(await late));
    await page.goto(site.url, { waitUntil: "commit" });
    const after = page.getByText("What comes after it.");
    await after.scrollIntoViewIfNeeded();
    // Painted without it.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
    come();
    await page.locator("shingle-estimate input").waitFor();
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
    assert.equal(await page.evaluate(() => shift), 0);
    await visitor.leave();
    await site.stop();
  });
}

test("two widgets on one page open their own flows, by element and by script", async () => {
  const [one, two] = [await shingle.widget(), await shingle.widget({ buttonText: "Second button", elementLocation: "bottom_left" })];
  const ids = [one, two].map((widget) => widget.referenceId);
  const queue = `<script>window.shingle = function () { (shingle.q = shingle.q || []).push(arguments); }; shingle("prefill", { address: "14 Alder Court" }, "${ids[1]}");</script>`;
  const marked = `<button data-shingle-open="${ids[1]}">Marked</button> <a href="#roof-estimate">Any</a>`;
  const site = await contractorSite(queue + marked + one.widgetScript + two.widgetScript);
  const visitor = await newVisitor(browser, { ...sizes.desktop, ...moving });
  const { page } = visitor;
  await page.goto(site.url);
  const flow = new Flow(page);
  await page.getByRole("link", { name: "Second button" }).waitFor();
  await flow.launcher.waitFor();
  await page.getByRole("button", { name: "Marked" }).click();
  await flow.address.waitFor();
  await holds(page, "14 Alder Court");
  assert.equal(await page.getByRole("dialog").count(), 1);

  const closed = page.evaluate((id) => new Promise((told) => {
    const off = shingle.on("close", () => told(off()));
    shingle.close(id);
  }), ids[1]);
  await closed;
  await flow.address.waitFor({ state: "detached" });
  await page.evaluate((id) => shingle.toggle(id), ids[0]);
  await flow.address.waitFor();
  await holds(page, "");
  // By its id: without one it is the widget whose script came first, and these two race each other.
  await page.evaluate((id) => shingle.prefill({ address: "2 Fuller Street" }, id), ids[0]);
  await holds(page, "2 Fuller Street");
  await page.evaluate((all) => all.forEach((id) => shingle.destroy(id)), ids);
  assert.equal(await page.locator("shingle-launcher").count(), 0);
  assert.equal(await page.evaluate(() => document.adoptedStyleSheets.length), 0);
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
  await site.stop();
});
