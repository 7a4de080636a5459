// The hosted page's plain forms, for browsers without our runtime, and the card of a custom widget: every step in
// every state, held to the same rules as the flow.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { inAnotherWindow, violations } from "./harness/accessibility.js";
import { sizes, newVisitor } from "./harness/browser.js";
import { layoutProblems } from "./harness/layout.js";
import { setUp } from "./harness/setup.js";
import { root } from "./harness/shingle.js";
import { minimalSite } from "./harness/site.js";

const conditions = {
  "on a desktop": { ...sizes.desktop },
  "on a phone": { ...sizes.phone },
  "320 px wide": { ...sizes.phone, viewport: { width: 320, height: 480 } },
  "in forced colours on black": { ...sizes.phone, forcedColors: "active", colorScheme: "dark" },
  "in Spanish": { ...sizes.phone, locale: "es-US" },
};

const { shingle, browser } = await setUp();
const widget = await shingle.widget();
const paused = await shingle.widget({ status: "inactive" });
const several = await manyBuildings();

/** A home of the sample town with more than one building. */
async function manyBuildings() {
  for (let number = 1; number < 60; number++) {
    const page = await fetch(`${widget.hostedPageLink}/measure?address=${number}+Alder+Court`);
    if ((await page.text()).includes('name="building"')) return `${number} Alder Court`;
  }
  throw new Error("every home of Alder Court stands alone");
}

/** The names of all screens, as the pages' sources have them. */
function screens() {
  const folder = path.join(root, "crates/shingle-widget/src/ssr/page");
  const sources = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), "utf8"));
  return [...new Set(sources.flatMap((source) => [...source.matchAll(/screen: "([\w-]+)"/g)].map(([, name]) => name)))];
}

/** Through all the pages, by names and classes, so that it is the same walk in every language. */
async function walk(page, look) {
  const seen = new Set();
  const at = async (screen, what = "") => {
    await page.locator(`[data-screen="${screen}"]`).waitFor();
    // The markup is there before its stylesheet, on a busy machine by a second.
    await page.waitForLoadState("load");
    seen.add(screen);
    await look(what ? `${screen}, ${what}` : screen);
  };
  const go = () => page.locator(".sh-actions .primary").click();
  const measure = async (address) => {
    await page.goto(widget.hostedPageLink);
    await page.locator("#sh-address").fill(address);
    await go();
  };

  await page.goto(widget.hostedPageLink);
  await at("address");
  await go();
  await page.locator("#sh-address[aria-invalid]").waitFor();
  await at("address", "nothing typed");
  await measure("14 Aldr Curt");
  await at("notfound");
  await measure("99999 Nowhere Boulevard");
  await at("notfound", "nothing close");
  await page.locator(".sh-actions .quiet").click();
  await at("details", "of an unknown address");
  await page.goBack();
  await page.locator(".sh-more a").click();
  await at("parts");
  await go();
  await page.locator("[aria-invalid]").first().waitFor();
  await at("parts", "errors");
  await measure(several);
  await at("roof", "several buildings");
  for (const box of await page.locator("[name=building]").all()) await box.uncheck();
  await go();
  await page.locator("[role=alert]").waitFor();
  await at("roof", "no building");
  await measure("14 Alder Court");
  await at("roof");
  const other = page.locator(".sh-actions .sh-btn:not(.primary)");
  await other.click();
  await at("choose");
  await page.locator(".sh-radio").nth(2).check();
  await at("choose", "another home");
  await other.click();
  await at("not-mine");
  await page.goBack();
  await page.goBack();
  await go();
  await at("details");
  await go();
  await page.locator("[aria-invalid]").first().waitFor();
  await at("details", "errors");
  const texts = { first: "Dana", last: "Whitfield", email: "dana.whitfield@example.com", phone: "2075550163" };
  for (const [name, text] of Object.entries(texts)) await page.locator(`#sh-${name}`).fill(text);
  await go();
  await at("estimate");
  await page.locator("button.sh-choice").nth(1).click();
  await page.locator("button.sh-choice").nth(1).and(page.locator("[aria-pressed=true]")).waitFor();
  await at("estimate", "another material");
  await go();
  await at("booking");
  await page.locator("[name=wish]").first().check();
  await go();
  await at("thanks");
  await page.goto(`${widget.hostedPageLink}/thanks?lead=none`);
  await at("unreached");
  await page.goto(paused.hostedPageLink);
  await at("paused");
  return seen;
}

describe("every plain page can be used by everybody", () => {
  for (const [name, size] of Object.entries(conditions)) {
    test(name, async () => {
      const { page, leave } = await newVisitor(browser, size);
      await page.route(/\/runtime\/|hosted\.js/, (route) => route.abort());
      const found = {};
      // In the other windows names, roles and colors are the same.
      const rules = ["on a desktop", "in Spanish"].includes(name) ? {} : inAnotherWindow;
      const seen = await walk(page, async (state) => {
        for (const line of [...(await violations(page, rules)), ...(await layoutProblems(page))]) (found[line] ??= []).push(state);
      });
      assert.deepEqual([...seen].sort(), screens().sort(), "every page was walked");
      assert.deepEqual(found, {});
      await leave();
    });
  }
});

describe("the card of a custom widget can be used by everybody", () => {
  for (const [name, size] of Object.entries(conditions)) {
    test(name, async () => {
      const { widgetScript } = await shingle.widget({ elementType: "custom", elementLocation: undefined });
      const site = await minimalSite(`<section><shingle-estimate></shingle-estimate></section>${widgetScript}`);
      const { page, leave } = await newVisitor(browser, size);
      await page.goto(site.url);
      const field = page.locator("shingle-estimate input");
      await field.waitFor();
      assert.deepEqual(await violations(page), []);
      await field.fill("14 Alder Court");
      assert.deepEqual(await violations(page), [], "with an address typed");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(wide, 0, "nothing stands out sideways");
      for (const target of [field, page.locator("shingle-estimate button")]) {
        const { height } = await target.boundingBox();
        assert.ok(height >= 44, `a target is ${height} px high`);
      }
      await leave();
      await site.stop();
    });
  }
});
