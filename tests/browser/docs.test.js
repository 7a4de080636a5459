// The page that describes the API, without scripts: readable on a phone and on a desktop, in both themes.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { violations } from "./harness/accessibility.js";
import { picture, sizes } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";

const { shingle, browser } = await setUp();

describe("the page of the API", () => {
  for (const size of ["phone", "desktop"]) {
    for (const colorScheme of ["light", "dark"]) {
      it(`is readable on a ${size} in ${colorScheme}, asks nobody else, and axe objects to nothing`, async () => {
        const context = await browser.newContext({ ...sizes[size], colorScheme });
        const page = await context.newPage();
        const problems = [];
        const asked = [];
        page.on("console", (message) => problems.push(message.text()));
        page.on("request", (request) => asked.push(new URL(request.url())));
        await page.goto(`${shingle.url}/docs`);
        await page.getByRole("heading", { level: 1, name: "Shingle API" }).waitFor();
        await page.getByRole("link", { name: "Size, pitch and price of the roof" }).first().click();
        assert.equal(new URL(page.url()).hash, "#getRoofEstimate");
        await picture(page, `docs-${size}-${colorScheme}`);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wider <= 0, `${wider} pixels too wide`);
        assert.deepEqual(await violations(page), []);
        assert.deepEqual(problems, []);
        assert.deepEqual([...new Set(asked.map(({ origin, pathname }) => origin + pathname))].sort(), [`${shingle.url}/docs`, `${shingle.url}/docs.css`]);
        await context.close();
      });
    }
  }
});
