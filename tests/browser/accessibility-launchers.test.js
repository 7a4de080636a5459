// The launchers, in all sizes and places.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inAnotherWindow, violations } from "./harness/accessibility.js";
import { newVisitor } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";

const banner = { elementType: "banner", bannerText: "What would a new roof cost? See it in a minute.", bannerBackgroundColor: "#14365c" };
const launchers = ["small", "medium", "large"].flatMap((elementSize) => [
  ...["bottom_right", "bottom_left", "side_right", "side_left"].map((elementLocation) => ({ elementSize, elementLocation })),
  ...["top", "bottom"].map((elementLocation) => ({ ...banner, elementSize, elementLocation })),
]);

const { shingle, browser } = await setUp();

const nameOf = ({ elementType = "button", elementSize, elementLocation }) => `${elementSize} ${elementType} ${elementLocation}`;

/** Targets and reach of what is on the page before anything is opened. */
const reach = (page) =>
  page.evaluate(() => {
    const { shadowRoot } = document.querySelector("shingle-launcher, shingle-estimate");
    const found = [];
    for (const el of shadowRoot.querySelectorAll("a, button")) {
      const { left, top, right, bottom, width, height } = el.getBoundingClientRect();
      if (width < 44 || height < 44) found.push(`target ${width} × ${height}: ${el.className}`);
      if (left < 0 || right > document.documentElement.clientWidth + 0.5) found.push(`outside: ${left}–${right}`);
      if (getComputedStyle(el).position == "fixed" && (top < 0 || bottom > innerHeight + 0.5)) found.push(`outside: ${top}–${bottom}`);
    }
    return found;
  });

describe("every launcher can be used by everybody", () => {
  for (const changes of launchers) {
    test(nameOf(changes), async () => {
      const widget = await shingle.widget(changes);
      const site = await minimalSite(widget.widgetScript);
      const visitor = await newVisitor(browser, "desktop");
      const { page } = visitor;
      const found = [];
      await page.goto(site.url);
      await page.locator(".sl").waitFor();
      for (const [name, set] of Object.entries({
        desktop: () => {},
        "320 px": () => page.setViewportSize({ width: 320, height: 480 }),
        "sideways": () => page.setViewportSize({ width: 640, height: 320 }),
        "forced colours": () => page.emulateMedia({ forcedColors: "active" }),
      })) {
        await set();
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        // Names, roles and colors are the same in every window.
        const rules = name == "desktop" ? {} : inAnotherWindow;
        for (const line of [...(await violations(page, rules)), ...(await reach(page))]) found.push(`${name}: ${line}`);
      }
      assert.deepEqual(found, []);
      await visitor.leave();
      await site.stop();
    });
  }
});
