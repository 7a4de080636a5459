// The launchers, the flow and the hosted page in colors that nobody should have chosen.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { violations } from "./harness/accessibility.js";
import { sizes, newVisitor } from "./harness/browser.js";
import { layoutProblems } from "./harness/layout.js";
import { mockResponses, realResponses, MockApi } from "./harness/mock-api.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";
import { Walkthrough } from "./harness/walkthrough.js";

const banner = { elementType: "banner", bannerText: "What would a new roof cost? See it in a minute.", bannerBackgroundColor: "#14365c" };
/** Every one of the six, or of the launcher's, hard to distinguish from its background. */
const hostile = {
  "yellow on white": { primaryColor: "#ffe600", secondaryColor: "#fff44f", textColor: "#fff9c4", linkColor: "#ffee58" },
  "all the same grey": {
    primaryColor: "#808080", secondaryColor: "#808080", backgroundColor: "#808080", cardBackgroundColor: "#808080",
    textColor: "#808080", linkColor: "#808080",
  },
  "see-through": { primaryColor: "#0a5cff40", secondaryColor: "#ff000020", cardBackgroundColor: "#ffffff80", textColor: "#00000030", linkColor: "#0000ff20" },
  "red on black": { primaryColor: "#5a0000", secondaryColor: "#003300", backgroundColor: "#000000", cardBackgroundColor: "#0a0a0a", textColor: "#111111", linkColor: "#000066" },
};

const { shingle, browser } = await setUp();
const responses = mockResponses(await realResponses(shingle, await shingle.widget()));

describe("whatever colours are configured, everything can be read", () => {
  for (const [name, colours] of Object.entries(hostile)) {
    const launcher = {
      buttonTextColor: colours.textColor,
      buttonBackgroundColor: colours.primaryColor,
      bannerBackgroundColor: colours.linkColor,
    };
    for (const kind of [{}, { ...banner, elementLocation: "bottom" }]) {
      test(`${name}, ${kind.elementType ?? "button"}`, async () => {
        const widget = await shingle.widget({ ...kind, ...colours, ...launcher });
        const site = await minimalSite(widget.widgetScript);
        const visitor = await newVisitor(browser, { ...sizes.desktop });
        const { page } = visitor;
        const found = {};
        const look = async (state) => {
          for (const line of await violations(page, { onlyLooks: true })) (found[line] ??= []).push(state);
        };
        await page.goto(site.url);
        await page.locator(".sl").waitFor();
        await look("launcher");
        if (!kind.elementType) {
          const api = await MockApi.on(page);
          const enter = async () => {
            await page.goto(site.url);
            await page.locator(".sl").click();
            await page.locator("[data-screen=address] #sh-address").waitFor();
          };
          await new Walkthrough(page, api, responses, enter, look).mainPath();
        }
        assert.deepEqual(found, {});
        await visitor.leave();
        await site.stop();
      });
    }
  }

  for (const [name, colours] of Object.entries(hostile)) {
    test(`${name}, hosted page`, async () => {
      const { hostedPageLink } = await shingle.widget(colours);
      const visitor = await newVisitor(browser, { ...sizes.phone });
      await visitor.page.goto(hostedPageLink);
      await visitor.page.locator("[data-screen=address]").waitFor();
      assert.deepEqual([...(await violations(visitor.page, { onlyLooks: true })), ...(await layoutProblems(visitor.page))], []);
      await visitor.leave();
    });
  }
});
