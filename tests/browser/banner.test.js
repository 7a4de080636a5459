// A banner across the contractor's page: read, hidden for the session, or followed to the estimate.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moving, newVisitor, sizes } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { contractorSite } from "./harness/site.js";

const words = "What would a new roof cost? See it in a minute.";

const { shingle, browser } = await setUp();

const made = (changes) =>
  shingle.widget({ elementType: "banner", bannerText: words, bannerBackgroundColor: "#14365c", ...changes });

/** How far the page's content was moved after it was first seen. */
const shifted = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) =>
          resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)),
        ).observe({ type: "layout-shift", buffered: true });
        // Entries of what was laid out so far are handed over with the next frame but one.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0, 0)));
      }),
  );

for (const size of Object.keys(sizes)) {
  for (const place of ["top", "bottom"]) {
    test(`a banner at the ${place} opens the flow and moves nothing, ${size}`, async () => {
      const widget = await made({ elementLocation: place, elementSize: size == "phone" ? "small" : "large" });
      const site = await contractorSite(widget.widgetScript);
      const visitor = await newVisitor(browser, { ...sizes[size], ...moving });
      const { page } = visitor;
      await page.goto(site.url);
      const banner = page.getByRole("complementary", { name: "See what a new roof would cost" });
      await banner.getByText(words).waitFor();
      assert.equal(await shifted(page), 0);
      const box = await banner.boundingBox();
      const view = page.viewportSize();
      assert.ok(box.width >= view.width - 20, `${box.width} of ${view.width}`);
      assert.ok(place == "top" ? box.y < 1 : Math.abs(box.y + box.height - view.height) < 1, JSON.stringify(box));
      for (const control of [banner.getByRole("link"), banner.getByRole("button", { name: "Hide this banner" })]) {
        const target = await control.boundingBox();
        assert.ok(target.height >= 44 && target.width >= 44, JSON.stringify(target));
      }
      await visitor.picture(`${size}-banner-${place}`);
      const flow = new Flow(page);
      await flow.open();
      await page.keyboard.press("Escape");
      await flow.address.waitFor({ state: "detached" });
      assert.deepEqual(visitor.problems, []);
      await visitor.leave();
      await site.stop();
    });
  }

  test(`a banner that was hidden stays hidden in this tab, ${size}`, async () => {
    const widget = await made({ elementLocation: "bottom" });
    const site = await contractorSite(widget.widgetScript);
    const visitor = await newVisitor(browser, { ...sizes[size], ...moving });
    const { page } = visitor;
    await page.goto(site.url);
    // The room for it at the end of the page; the loader makes it one frame after the banner stands.
    const room = (there) => page.waitForFunction(
      (there) => (getComputedStyle(document.documentElement).paddingBottom != "0px") == there, there,
    );
    const hide = page.getByRole("button", { name: "Hide this banner" });
    await hide.waitFor();
    await room(true);
    await hide.click();
    await hide.waitFor({ state: "detached" });
    await room(false);
    const ready = page.waitForFunction(() => window.shingle?.all && Object.keys(window.shingle.all).length == 1);
    await page.reload();
    await ready.catch(() => {});
    await page.waitForFunction(() => window.shingle?.all && Object.keys(window.shingle.all).length == 1);
    assert.equal(await hide.count(), 0);
    assert.deepEqual(visitor.problems, []);
    await visitor.leave();
    await site.stop();
  });
}

test("a banner that is there before the first paint pushes the page down", async () => {
  const widget = await made({ elementLocation: "top", elementSize: "medium" });
  // The page waits for a script in its head that is not async.
  const site = await contractorSite("", {}, widget.widgetScript.replace(" async", ""));
  const visitor = await newVisitor(browser, { ...sizes.desktop, ...moving });
  const { page } = visitor;
  await page.goto(site.url);
  const banner = page.getByRole("complementary", { name: "See what a new roof would cost" });
  await banner.waitFor();
  const { y, height } = await banner.boundingBox();
  assert.deepEqual({ y, height }, { y: 0, height: 64 });
  const below = await page.evaluate(() => document.querySelector("header").getBoundingClientRect().top);
  assert.ok(below >= 64, `the page begins at ${below}, under the banner`);
  assert.equal(await shifted(page), 0);
  await visitor.picture("desktop-banner-pushes");
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
  await site.stop();
});
