// Every screen of the flow, in every state that looks or reads differently, under every condition people meet it
// in: no finding of axe, no target too small for a finger, nothing wider than the screen.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { violations } from "./harness/accessibility.js";
import { moving, newVisitor, sizes } from "./harness/browser.js";
import { layoutProblems } from "./harness/layout.js";
import { mockResponses, realResponses, MockApi } from "./harness/mock-api.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";
import { screens, Walkthrough } from "./harness/walkthrough.js";

const dark = {
  primaryColor: "#7cc4ff",
  secondaryColor: "#ffb46b",
  backgroundColor: "#0b1016",
  cardBackgroundColor: "#141b23",
  textColor: "#e8edf2",
  linkColor: "#8fd0ff",
};
const window_ = (width, height, zoom = 1) => ({ viewport: { width, height }, deviceScaleFactor: zoom });
const darkSite = "<style>:root{color-scheme:dark}body,body *{background:#101418!important;color:#f2f4f6!important}</style>";

/**
 * How people meet the flow. `size` is a window, `head` goes into the contractor's page, `widget` into the record. Where
 * the page differs by more than its looks, axe has `everyRule`.
 */
const conditions = {
  "on a desktop": { everyRule: true, size: { ...sizes.desktop, ...moving } },
  "on a phone": { size: { ...sizes.phone, ...moving } },
  "on a dark site": { size: { ...sizes.desktop, colorScheme: "dark" }, head: darkSite },
  "in dark colours": { size: { ...sizes.desktop }, widget: dark },
  "in dark colours on a phone": { size: { ...sizes.phone }, widget: dark },
  "in forced colours": { size: { ...sizes.desktop, forcedColors: "active" } },
  "in forced colours on black": { size: { ...sizes.phone, forcedColors: "active", colorScheme: "dark" } },
  "with a root font twice the size": { size: { ...sizes.phone }, head: "<style>html{font-size:200%}</style>" },
  "zoomed to 200 %": { size: { ...window_(640, 450, 2) } },
  "zoomed to 400 %": { size: { ...window_(320, 256, 4) } },
  "320 px wide": { size: { ...sizes.phone, viewport: { width: 320, height: 480 } } },
  "on a phone held sideways": { size: { ...sizes.phone, viewport: { width: 844, height: 390 } } },
  "on a right-to-left site": { size: { ...sizes.desktop }, head: '<script>document.documentElement.dir="rtl"</script>' },
  "in Spanish on a phone": { everyRule: true, size: { ...sizes.phone }, head: '<script>document.documentElement.lang="es"</script>' },
  "on the hosted page": { everyRule: true, size: { ...sizes.desktop }, hosted: true },
  "on the hosted page on a phone": { size: { ...sizes.phone }, hosted: true },
};


const { shingle, browser, closing } = await setUp();
const responses = mockResponses(await realResponses(shingle, await shingle.widget()));

/** A page with the launcher, or the hosted page, and a way to begin anew on it. */
async function openPage({ size, head, widget, hosted }) {
  const record = await shingle.widget(widget);
  const visitor = await newVisitor(browser, size);
  const { page } = visitor;
  await page.addInitScript(() => [localStorage, sessionStorage].forEach((kept) => kept.clear()));
  const api = await MockApi.on(page);
  const url = hosted ? record.hostedPageLink : closing(await minimalSite(record.widgetScript, head)).url;
  const enter = async () => {
    await page.goto(url);
    if (!hosted) await page.locator(".sl").click();
    await page.locator("[data-screen=address] #sh-address").waitFor();
  };
  return { visitor, page, api, enter };
}

describe("every screen can be used by everybody", () => {
  for (const [name, condition] of Object.entries(conditions)) {
    test(name, async () => {
      const { visitor, page, api, enter } = await openPage(condition);
      const found = {};
      const rules = { onlyLooks: !condition.everyRule };
      const walk = new Walkthrough(page, api, responses, enter, async (state) => {
        for (const line of [...(await violations(page, rules)), ...(await layoutProblems(page))]) (found[line] ??= []).push(state);
      });
      await walk.everyState();
      assert.deepEqual([...walk.seen].sort(), screens().sort(), "every screen was walked");
      assert.deepEqual(found, {});
      await visitor.leave();
    });
  }
});
