// The manual, without scripts: readable on a phone, on a desktop and on paper, in both themes, and searched by a form.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { violations } from "./harness/accessibility.js";
import { picture, sizes } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";

const { shingle, browser } = await setUp();

describe("the manual", () => {
  for (const size of ["phone", "desktop"]) {
    for (const colorScheme of ["light", "dark"]) {
      it(`is read and searched on a ${size} in ${colorScheme}, asks nobody else, and axe objects to nothing`, async () => {
        const context = await browser.newContext({ ...sizes[size], colorScheme });
        const page = await context.newPage();
        const problems = [];
        const asked = [];
        page.on("console", (message) => problems.push(message.text()));
        page.on("request", (request) => asked.push(new URL(request.url()).origin));
        const look = async (name) => {
          await picture(page, `manual-${name}-${size}-${colorScheme}`);
          const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wider <= 0, `${name}: ${wider} pixels too wide`);
          assert.deepEqual(await violations(page), []);
        };
        await page.goto(`${shingle.url}/manual`);
        await page.getByRole("heading", { level: 1, name: "Shingle" }).waitFor();
        await page.getByRole("navigation", { name: "Pages of the manual" }).getByRole("link", { name: "Troubleshooting" }).click();
        await page.getByRole("heading", { level: 1, name: "Troubleshooting" }).waitFor();
        await look("troubleshooting");
        await page.getByRole("searchbox", { name: "Search the manual" }).fill("the passphrase does not open this backup");
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
        await look("search");
        await page.getByRole("main").getByRole("link").first().click();
        await page.getByRole("heading", { level: 2, name: "Restore one" }).waitFor();
        assert.equal(new URL(page.url()).hash, "#restore-one");
        await look("backup");
        assert.deepEqual(problems, []);
        assert.deepEqual([...new Set(asked)], [shingle.url]);
        await context.close();
      });
    }
  }

  it("is reached by keyboard, and prints the text alone", async () => {
    const context = await browser.newContext({ ...sizes.desktop, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${shingle.url}/manual/install`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(new URL(page.url()).hash, "#text");
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.getByRole("searchbox").isVisible(), false);
    assert.equal(await page.locator("#pages").isVisible(), false);
    assert.ok(await page.getByRole("heading", { level: 1, name: "Install" }).isVisible());
    await context.close();
  });
});
