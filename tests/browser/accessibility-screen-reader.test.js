// What a screen reader says, and where the keyboard is: on every screen, read from the accessibility tree.

import assert from "node:assert/strict";
import { test } from "node:test";
import { AccessibilityTree } from "./harness/accessibility-tree.js";
import { sizes, newVisitor } from "./harness/browser.js";
import { mockResponses, realResponses, MockApi } from "./harness/mock-api.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";
import { screens, Walkthrough } from "./harness/walkthrough.js";

const { shingle, browser, closing } = await setUp();
const widget = await shingle.widget();
const responses = mockResponses(await realResponses(shingle, widget));
const site = closing(await minimalSite(widget.widgetScript));

async function openPage() {
  const visitor = await newVisitor(browser, { ...sizes.desktop });
  const { page } = visitor;
  await page.addInitScript(() => [localStorage, sessionStorage].forEach((kept) => kept.clear()));
  const api = await MockApi.on(page, { suggest: responses.suggested, roof: responses.roof, leads: responses.receipt, change: {} });
  const enter = async () => {
    await page.goto(site.url);
    await page.locator(".sl").click();
    await page.locator("[data-screen=address] #sh-address").waitFor();
  };
  return { visitor, page, api, enter, tree: await AccessibilityTree.of(page) };
}

/** What the live regions must say in these states, besides the title that every new step begins with. */
const announced = {
  "address, nothing chosen": ["status", "Choose your address from the list first."],
  "address, no match": ["status", "No address matches yet. You can enter it in parts."],
  "address, list": ["status", /^\d address(es match|\smatches). Use the arrow keys to choose\.$/],
  "address, refused": ["alert", /That address was not taken\. +\w/],
  "details, errors": ["alert", /3 fields need a look\. +First name, +Last name +and +Email/],
  "estimate, another material": ["status", /^[A-Z][a-z -]+: \$[\d,]+\. Between \$[\d,]+ and \$[\d,]+\.$/],
};

/** Where the keyboard is after a change that is not a new step. Steps begin at their title, the first at its field. */
const fields = {
  parts: ["textbox", "Number"],
  "parts, errors": ["textbox", "Street", /Enter the street\./],
  "details, errors": ["textbox", "First name", /Enter your first name\./],
  "details, closing": ["button", "Keep going"],
};

test("every step says its title, and every change that is not at the keyboard is announced", async () => {
  const { visitor, page, api, enter, tree } = await openPage();
  const at = async (state) => {
    const title = (await page.locator("#sh-title").innerText()).trim();
    const spoken = (await tree.all("dialog")).map(({ name, modal }) => ({ name, modal }));
    assert.deepEqual(spoken, [{ name: title, modal: true }], `${state}: the dialog bears the step's title`);
    assert.deepEqual((await tree.all("heading")).filter(({ level }) => level == 1).map(({ name }) => name.trim()), [title], state);

    if (announced[state]) {
      const [role, words] = announced[state];
      await page.getByRole(role).filter({ hasText: words }).waitFor();
      const live = (await tree.nodes()).filter((node) => node.role == role && node.live);
      assert.ok(live.length, `${state}: the ${role} is a live region`);
    }
    const focus = await tree.focused();
    if (fields[state]) {
      const [role, name, wrong] = fields[state];
      assert.deepEqual([focus.role, focus.name], [role, name], state);
      if (wrong) assert.match(focus.description, wrong, state);
      if (wrong) assert.equal(focus.invalid, "true", state);
    } else if (state.startsWith("address") && state != "address, refused") {
      assert.deepEqual([focus.role, focus.name], ["combobox", "Your home address"], state);
      const open = ["address, list", "address, no match"].includes(state);
      assert.equal(focus.expanded, open, state);
    } else if (!["another building", "another material", "another home"].some((other) => state.endsWith(other))) {
      assert.deepEqual([focus.role, focus.name.trim()], ["heading", title], state);
    }
    if (state == "address, list") {
      const chosen = (await tree.all("option")).filter(({ selected }) => selected);
      assert.equal(chosen.length, 1);
      assert.match(chosen[0].name, /^14 Alder Court/);
      assert.ok(focus.activedescendant, "the field points to the chosen row");
    }
    if (state == "details, closing") {
      const [question] = await tree.all("alertdialog");
      assert.equal(question.name, "Close your estimate?");
      assert.ok(question.description.length > 20, "it says what would be lost");
    }
    if (state.startsWith("roof")) {
      const plans = (await tree.all("image")).filter(({ name }) => /north up/.test(name));
      assert.equal(plans.length, 1, `${state}: the drawing is one picture with a sentence`);
    }
    if (state.startsWith("estimate") || state.startsWith("roof, several")) {
      const groups = (await tree.nodes()).filter(({ role, name }) => ["group", "radiogroup"].includes(role) && name);
      assert.ok(groups.length, `${state}: the choices have a name`);
      const kind = state.startsWith("roof") ? "checkbox" : "radio";
      assert.equal((await tree.all(kind)).filter(({ checked }) => checked == "true").length, 1, state);
    }
  };
  const walk = new Walkthrough(page, api, responses, enter, at);
  await walk.everyState();
  assert.deepEqual([...walk.seen].sort(), screens().sort());
  assert.deepEqual(visitor.problems.filter((text) => !/Failed to load resource/.test(text)), []);
  await visitor.leave();
});

test("the result of a retry is announced, its countdown is not", async () => {
  const { visitor, page, api, enter, tree } = await openPage();
  const walk = new Walkthrough(page, api, responses, enter, async () => {});
  await walk.start({ roof: "down" });
  await walk.look("down");
  await walk.at("unreached");
  const [result] = (await tree.nodes()).filter(({ role, live, inside }) => role == "status" && live && inside.length);
  assert.ok(result, "the note about the retry is a live region");
  assert.ok(!(await tree.nodes()).some(({ name }) => /Trying again in/.test(name)), "seconds are not read out");
  await walk.main.click();
  await page.getByRole("status").filter({ hasText: "Attempt 2 of 10" }).waitFor();
  await visitor.leave();
});
