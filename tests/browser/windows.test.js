// Every screen of the flow in every window people open it in, over a page and as a page: nothing beyond the window,
// covered, cut or too small for a finger. In Spanish the server's pieces are in Spanish as well. Where axe looks too, it does
// in the windows that are named: accessibility.test.js has the rest.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { violations } from "./harness/accessibility.js";
import { newVisitor, windows } from "./harness/browser.js";
import { layoutProblems } from "./harness/layout.js";
import { mockResponses, realResponses, MockApi } from "./harness/mock-api.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";
import { animationsDone, screens, Walkthrough } from "./harness/walkthrough.js";

const { shingle, browser, closing } = await setUp();
const answering = await shingle.widget();
const responses = {};
for (const lang of ["en", "es"]) responses[lang] = mockResponses(await realResponses(shingle, answering, { lang }));

/** Names with no place to break: 24 letters, in what the contractor has written and in what the server finds. */
const long = "Oberammergauerdachdecker";
const longNames = { companyName: `${long} ${long}`, footerCompanyName: `${long} ${long}`, firstPageTitle: `${long} asks: what would a new roof cost?` };
const longAnswers = JSON.parse(JSON.stringify(responses.es).replaceAll("Alder Court", `${long} Court`));

const pages = {
  "over a page": {},
  "as a page": { hosted: true, axe: { 1280: { onlyLooks: false }, 390: { onlyLooks: true } } },
  "over a page, in Spanish with long names": { es: true, long: true, axe: { 390: { onlyLooks: false } } },
  "as a page, in Spanish with long names": { hosted: true, es: true, long: true },
};

describe("every screen fits every window", () => {
  for (const [name, { hosted, es, long, axe = {} }] of Object.entries(pages)) {
    test(name, async () => {
      const record = await shingle.widget(long ? longNames : {});
      // 1366 × 768 at 200 % is 683 × 384 in the page's pixels, and a device of two pixels for each.
      const visitor = await newVisitor(browser, { viewport: windows[0], hasTouch: true, deviceScaleFactor: 2, locale: es ? "es-US" : "en-US" });
      const { page } = visitor;
      await page.addInitScript(() => [localStorage, sessionStorage].forEach((kept) => kept.clear()));
      const api = await MockApi.on(page);
      const head = es ? '<script>document.documentElement.lang="es"</script>' : "";
      const url = hosted ? `${record.hostedPageLink}${es ? "?lang=es" : ""}` : closing(await minimalSite(record.widgetScript, head)).url;
      const enter = async () => {
        await page.goto(url);
        if (!hosted) await page.locator(".sl").click();
        await page.locator("[data-screen=address] #sh-address").waitFor();
      };
      const found = {};
      const walk = new Walkthrough(page, api, long ? longAnswers : responses.en, enter, async (state) => {
        for (const window of windows) {
          await page.setViewportSize(window);
          // The list is placed again when the page hears of its size.
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
          await animationsDone(page);
          const rules = axe[window.width];
          for (const line of [...(rules ? await violations(page, rules) : []), ...(await layoutProblems(page))]) (found[line] ??= []).push(`${state} at ${window.width} × ${window.height}`);
        }
        await page.setViewportSize(windows[0]);
      });
      await walk.everyState();
      assert.deepEqual([...walk.seen].sort(), screens().sort(), "every screen was walked");
      const lines = Object.entries(found).map(([line, states]) => `${line}: ${states.length} times, first in ${states[0]}`);
      assert.deepEqual(lines, []);
      await visitor.leave();
    });
  }
});
