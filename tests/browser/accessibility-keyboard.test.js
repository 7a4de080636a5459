// The whole flow without a pointer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { AccessibilityTree } from "./harness/accessibility-tree.js";
import { sizes, newVisitor } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";

const { shingle, browser, closing } = await setUp();
const site = closing(await minimalSite((await shingle.widget()).widgetScript));

async function openPage() {
  const visitor = await newVisitor(browser, { ...sizes.desktop });
  const { page } = visitor;
  const tree = await AccessibilityTree.of(page);
  await page.goto(site.url);
  const keys = page.keyboard;
  const screen = (name) => page.locator(`[data-screen="${name}"]`).waitFor();
  /** Tab until this has the focus. */
  const tabTo = async (name, key = "Tab") => {
    const met = [];
    for (let left = 30; left; left--) {
      await keys.press(key);
      const focus = await tree.focused();
      met.push(focus?.name);
      if (name.test(focus?.name ?? "")) return met;
    }
    throw new Error(`never came to ${name}, but to ${met.join(", ")}`);
  };
  /** From the launcher to an address that was chosen from the list. */
  const pick = async () => {
    await page.locator(".sl").press("Enter");
    await screen("address");
    await page.locator("#sh-address:focus").waitFor();
    await keys.type("14 Alder Co");
    await page.locator("#sh-list:popover-open").waitFor();
    await keys.press("ArrowDown");
    await keys.press("Enter");
  };
  return { visitor, page, tree, keys, screen, tabTo, pick };
}

test("an estimate can be had with the keyboard alone, and the focus comes back to the launcher", async () => {
  const { visitor, page, tree, keys, screen, tabTo } = await openPage();
  await page.locator(".sl").waitFor();
  await tabTo(/Get my roof estimate/);
  await keys.press("Enter");
  await screen("address");
  await page.locator("#sh-address:focus").waitFor();
  await keys.type("14 Alder Co");
  const list = page.locator("#sh-list:popover-open");
  await list.waitFor();
  await keys.press("Escape");
  await list.waitFor({ state: "detached" });
  assert.equal(await page.locator("dialog[open]").count(), 1, "Escape closes the list only");
  await keys.press("ArrowUp");
  assert.match((await tree.all("option")).find(({ selected }) => selected).name, /in parts/);
  await keys.press("ArrowDown");
  await keys.press("Enter");
  assert.match(await page.locator("#sh-address").inputValue(), /^14 Alder Court, /);
  await keys.press("Enter");
  await screen("roof");
  await page.locator("#sh-title:focus").waitFor();
  assert.deepEqual(await tabTo(/Yes, that’s my roof/), ["Yes, that’s my roof"]);
  await keys.press("Enter");
  await screen("details");
  await page.locator("#sh-title:focus").waitFor();
  for (const text of ["Dana", "Whitfield", "dana.keys@example.com", "2075550177"]) {
    await keys.press("Tab");
    await keys.type(text);
  }
  await keys.press("Tab");
  await keys.press("Space");
  assert.ok(await page.getByRole("checkbox").isChecked());
  await keys.press("Tab");
  await keys.press("Space");
  await screen("estimate");
  await page.locator("#sh-title:focus").waitFor();
  await keys.press("Tab");
  await keys.press("ArrowDown");
  await page.getByRole("status").filter({ hasText: /^[A-Z][a-z -]+: \$[\d,]+\. Between / }).waitFor();
  await tabTo(/Book an inspection/);
  await keys.press("Enter");
  await screen("booking");
  await page.locator("#sh-title:focus").waitFor();
  await tabTo(/, morning$/);
  await keys.press("Space");
  await page.getByRole("status").filter({ hasText: "1 of 3 picked" }).waitFor();
  await tabTo(/^Send these times/);
  await keys.press("Enter");
  await screen("thanks");
  await page.locator("#sh-title:focus").waitFor();
  await tabTo(/^Close$/, "Shift+Tab");
  await keys.press("Enter");
  await page.locator("dialog").waitFor({ state: "detached" });
  assert.equal((await tree.focused()).name, "Get my roof estimate");
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});

test("the focus stays in the dialog, in the order things are read", async () => {
  const { visitor, page, keys, screen, tabTo, pick } = await openPage();
  await pick();
  await keys.press("Enter");
  await screen("roof");
  await page.locator("#sh-title:focus").waitFor();
  await tabTo(/^Back$/, "Shift+Tab");
  assert.deepEqual(await tabTo(/^Privacy/), [
    "Call Quillback Roofing, (207) 555-0143", "Close", "Yes, that’s my roof", "Not my roof", "Privacy"]);
  for (let turn = 0; turn < 12; turn++) {
    await keys.press("Tab");
    const outside = await page.evaluate(() => document.activeElement.matches("body, shingle-launcher, shingle-estimate") ? "" : document.activeElement.outerHTML);
    assert.equal(outside, "", "the page under the dialog is out of reach");
  }
  await visitor.leave();
});

test("Escape asks before it throws something away, and the question is answered by keys", async () => {
  const { visitor, page, tree, keys, pick } = await openPage();
  await pick();
  await keys.press("Escape");
  await page.locator("#sh-keep:focus").waitFor();
  const names = [];
  for (const key of ["Tab", "Tab", "Shift+Tab"]) {
    await keys.press(key);
    names.push((await tree.focused()).name);
  }
  assert.deepEqual(names, ["Close and discard", "Keep going", "Close and discard"]);
  await keys.press("Escape");
  await page.locator(".sh-alert").waitFor({ state: "detached" });
  await page.locator("#sh-address:focus").waitFor();
  assert.match(await page.locator("#sh-address").inputValue(), /^14 Alder Court, /, "nothing is lost");
  await keys.press("Escape");
  await page.locator("#sh-keep:focus").waitFor();
  await keys.press("Tab");
  await keys.press("Enter");
  await page.locator("dialog").waitFor({ state: "detached" });
  assert.equal((await tree.focused()).name, "Get my roof estimate");
  await visitor.leave();
});
