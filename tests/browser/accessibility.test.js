// Every screen of the flow, in every state that looks or reads differently, under every condition people meet it
// in: no finding of axe, no target too small for a finger, nothing wider than the screen.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inAnotherWindow, inOtherColors, violations } from "./harness/accessibility.js";
import { moving, newVisitor, sizes } from "./harness/browser.js";
import { layoutProblems } from "./harness/layout.js";
import { mockResponses, realResponses, MockApi } from "./harness/mock-api.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";
import { animationsDone, screens, Walkthrough } from "./harness/walkthrough.js";

const dark = {
  primaryColor: "#7cc4ff",
  secondaryColor: "#ffb46b",
  backgroundColor: "#0b1016",
  cardBackgroundColor: "#141b23",
  textColor: "#e8edf2",
  linkColor: "#8fd0ff",
};
/** Switched on by a class of the page, while one looks at it. */
const ofThePage = `<style>
.dark-site{color-scheme:dark} .dark-site body,.dark-site body *{background:#101418!important;color:#f2f4f6!important}
.large-font{font-size:200%}
</style>`;
const plain = { media: { colorScheme: "light", forcedColors: "none" } };

/**
 * How people meet the flow. A page with its own size, `head` and record is walked once, and looked at in every way that
 * needs no new page: another window, other colors. Where it differs by more than its looks, axe has `everyRule` for the first,
 * and for the others what can differ.
 * The hosted page and the flow in Spanish are looked at where they are walked anyway: windows.test.js.
 */
const pages = {
  "a desktop's page": {
    everyRule: true,
    size: { ...sizes.desktop, ...moving },
    looks: {
      "on a desktop": {},
      "on a dark site": { media: { colorScheme: "dark" }, page: "dark-site" },
      "in forced colours": { media: { forcedColors: "active" } },
      "zoomed to 200 %": { window: [640, 450] },
      "zoomed to 400 %": { window: [320, 256] },
      "on a right-to-left site": { dir: "rtl" },
    },
  },
  "a phone's page, in dark colors": {
    size: sizes.phone,
    widget: dark,
    looks: {
      "on a phone": {},
      "in forced colours on black": { media: { forcedColors: "active", colorScheme: "dark" } },
      "with a root font twice the size": { page: "large-font" },
      "320 px wide": { window: [320, 480] },
      "on a phone held sideways": { window: [844, 390] },
    },
  },
};

const { shingle, browser, closing } = await setUp();
const answering = await shingle.widget();
const answers = mockResponses(await realResponses(shingle, answering, { lang: "en" }));

/** A page with the launcher, and a way to begin again on it. */
async function openPage({ size, widget }) {
  const record = await shingle.widget(widget);
  const visitor = await newVisitor(browser, size);
  const { page } = visitor;
  await page.addInitScript(() => [localStorage, sessionStorage].forEach((kept) => kept.clear()));
  const api = await MockApi.on(page);
  const { url } = closing(await minimalSite(record.widgetScript, ofThePage));
  const enter = async () => {
    await page.goto(url);
    await page.locator(".sl").click();
    await page.locator("[data-screen=address] #sh-address").waitFor();
  };
  return { visitor, page, api, enter };
}

/** What axe can find in this look only. Forced colors come from the system, not from the page. */
const differs = ({ media }) => (!media ? inAnotherWindow : media.forcedColors ? null : inOtherColors);

/** Makes a page look like this. */
async function look(page, size, { window = Object.values(size.viewport), media, page: named = "", dir = "ltr" }) {
  const [width, height] = window;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ ...plain.media, ...media });
  await page.evaluate(([named, dir]) => Object.assign(document.documentElement, { className: named, dir }), [named, dir]);
  // The list is placed again when the page hears of its size.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await animationsDone(page);
}

describe("every screen can be used by everybody", () => {
  for (const [name, condition] of Object.entries(pages)) {
    test(`${name}, ${Object.keys(condition.looks).join(", ")}`, async () => {
      const { visitor, page, api, enter } = await openPage(condition);
      const { size, looks } = condition;
      const found = {};
      const walk = new Walkthrough(page, api, answers, enter, async (state) => {
        for (const [at, [called, way]] of Object.entries(looks).entries()) {
          await look(page, size, way);
          const rules = at == 0 ? { onlyLooks: !condition.everyRule } : differs(way);
          for (const line of [...(rules ? await violations(page, rules) : []), ...(await layoutProblems(page))]) (found[`${called}: ${line}`] ??= []).push(state);
        }
        await look(page, size, {});
      });
      await walk.everyState();
      assert.deepEqual([...walk.seen].sort(), screens().sort(), "every screen was walked");
      assert.deepEqual(found, {});
      await visitor.leave();
    });
  }
});
