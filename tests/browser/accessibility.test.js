// Every screen of the flow, in every state that looks or reads differently, under every condition people meet it
// in: no finding of axe, no target too small for a finger, nothing wider than the screen.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { layoutProblems, violations } from "./harness/accessibility.js";
import { sizes, newVisitor } from "./harness/browser.js";
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
const still = { reducedMotion: "reduce" };
const window_ = (width, height, zoom = 1) => ({ viewport: { width, height }, deviceScaleFactor: zoom });
const darkSite = "<style>:root{color-scheme:dark}body,body *{background:#101418!important;color:#f2f4f6!important}</style>";

/** How people meet the flow. `size` is a window, `head` goes into the contractor's page, `widget` into the record. */
const conditions = {
  "on a desktop": { size: sizes.desktop },
  "on a phone": { size: sizes.phone },
  "on a dark site": { size: { ...sizes.desktop, ...still, colorScheme: "dark" }, head: darkSite },
  "in dark colours": { size: { ...sizes.desktop, ...still }, widget: dark },
  "in dark colours on a phone": { size: { ...sizes.phone, ...still }, widget: dark },
  "in forced colours": { size: { ...sizes.desktop, ...still, forcedColors: "active" } },
  "in forced colours on black": { size: { ...sizes.phone, ...still, forcedColors: "active", colorScheme: "dark" } },
  "with a root font twice the size": { size: { ...sizes.phone, ...still }, head: "<style>html{font-size:200%}</style>" },
  "zoomed to 200 %": { size: { ...window_(640, 450, 2), ...still } },
  "zoomed to 400 %": { size: { ...window_(320, 256, 4), ...still } },
  "320 px wide": { size: { ...sizes.phone, ...still, viewport: { width: 320, height: 480 } } },
  "on a phone held sideways": { size: { ...sizes.phone, ...still, viewport: { width: 844, height: 390 } } },
  "on a right-to-left site": { size: { ...sizes.desktop, ...still }, head: '<script>document.documentElement.dir="rtl"</script>' },
  "in Spanish on a phone": { size: { ...sizes.phone, ...still }, head: '<script>document.documentElement.lang="es"</script>' },
  "on the hosted page": { size: { ...sizes.desktop, ...still }, hosted: true },
  "on the hosted page on a phone": { size: { ...sizes.phone, ...still }, hosted: true },
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
      const walk = new Walkthrough(page, api, responses, enter, async (state) => {
        for (const line of [...(await violations(page)), ...(await layoutProblems(page))]) (found[line] ??= []).push(state);
      });
      await walk.everyState();
      assert.deepEqual([...walk.seen].sort(), screens().sort(), "every screen was walked");
      assert.deepEqual(found, {});
      await visitor.leave();
    });
  }
});
