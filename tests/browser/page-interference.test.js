// Pages and devices that get in the way of the flow: focus traps, swallowed keys, keyboards on screen, autofill.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { contractorSite } from "./harness/site.js";

const { shingle, browser, closing } = await setUp();
const site = closing(await contractorSite((await shingle.widget()).widgetScript));

async function arrive(size = "desktop") {
  const visitor = await newVisitor(browser, size);
  await visitor.page.goto(site.url);
  const flow = new Flow(visitor.page);
  await flow.launcher.waitFor();
  return { visitor, page: visitor.page, flow };
}

test("a trap of the page catches nothing of the flow, and has the page back afterwards", async () => {
  const { visitor, page, flow } = await arrive();
  await flow.open();
  await page.evaluate(() => {
    const field = document.createElement("input");
    document.body.append(field);
    window.heard = [];
    const eat = (e) => {
      if (e.target == field) return;
      heard.push(e.type);
      e.preventDefault();
      e.stopImmediatePropagation();
      field.focus();
    };
    for (const type of ["keydown", "keyup", "mousedown", "click", "focusin", "focus"]) document.addEventListener(type, eat, true);
  });
  await flow.type("14 Alder Co");
  await flow.suggestion(/14 Alder Court/).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await flow.measure.click();
  await flow.confirmRoof();
  await flow.fillDetails({ first: "Dana", last: "Whitfield", email: "dana@example.com", consent: true });
  assert.equal(await page.getByRole("checkbox").isChecked(), true, "one click ticks once");
  assert.deepEqual(await page.evaluate(() => heard), []);
  await page.evaluate(() => new Promise((closed) => {
    shingle.on("close", closed);
    shingle.close();
  }));
  await page.mouse.click(5, 5);
  assert.notDeepEqual(await page.evaluate(() => heard), []);
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});

test("keys that the page stops at the window still work in the flow", async () => {
  const { visitor, page, flow } = await arrive();
  await page.evaluate(() => {
    for (const type of ["keydown", "keypress", "keyup"]) window.addEventListener(type, (e) => e.stopPropagation(), true);
  });
  await flow.open();
  await flow.type("14 Alder Co");
  await flow.suggestion(/14 Alder Court/).waitFor();
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await flow.address.getAttribute("aria-activedescendant"), null);
  await visitor.leave();
});

test("the flow stays above a keyboard on the screen, which a bar of the browser is not", async () => {
  const { visitor, page, flow } = await arrive("phone");
  await flow.open();
  const lengths = (height, top) =>
    page.evaluate(([height, top]) => {
      for (const [name, value] of [["height", innerHeight - height], ["offsetTop", top]])
        Object.defineProperty(visualViewport, name, { value, configurable: true });
      visualViewport.dispatchEvent(new Event("resize"));
      const { style } = document.querySelector("shingle-launcher").shadowRoot.querySelector("dialog");
      return [innerHeight - parseInt(style.getPropertyValue("--sh-height")), style.getPropertyValue("--sh-top")];
    }, [height, top]);
  assert.deepEqual(await lengths(300, 40), [300, "40px"]);
  assert.deepEqual(await lengths(60, 0), [NaN, ""]);
  await visitor.leave();
});

test("what a browser fills in and only says has changed is taken", async () => {
  const { visitor, page, flow } = await arrive();
  await flow.open();
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.confirmRoof();
  await page.getByLabel("Email").evaluate((field) => {
    field.value = "dana@example.com";
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await flow.confirmRoof();
  assert.equal(await page.getByLabel("Email").inputValue(), "dana@example.com");
  await visitor.leave();
});
