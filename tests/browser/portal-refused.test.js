// Forms that are refused: what is wrong is found at once, and nothing that was typed is lost.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { violations } from "./harness/accessibility.js";
import { picture } from "./harness/browser.js";
import { assertFocused } from "./harness/focus.js";
import { sendLead } from "./harness/send-lead.js";
import { setUp } from "./harness/setup.js";

const { shingle, browser } = await setUp();
const widget = await shingle.widget();
await sendLead(shingle, widget, { firstName: "Dana", email: "dana@example.com", phone: "2075550143" });

async function owner(options) {
  const { link } = await shingle.command("invite", "--account", shingle.account, "--role", "owner");
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const { pathname, search } = new URL(link);
  await page.goto(shingle.url + pathname + search);
  await page.getByLabel("Your name").fill("Tomas Okafor");
  await page.getByLabel("Email").fill(`owner${Math.round(performance.now())}@quillback.example`);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: "Welcome, Tomas Okafor" }).waitFor();
  return page;
}
const lead = async (page) => {
  await page.goto(`${shingle.url}/portal/leads?data=sandbox`);
  await page.getByRole("link", { name: "Dana Whitfield", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Dana Whitfield" }).waitFor();
};

describe("a refused form", { concurrency: false }, () => {
  it("says at the top what is wrong, and the cursor stands there", async () => {
    const page = await owner();
    for (const [path, fill, button, first, said] of [
      ["notices", [["#from\\.monday", "08:30"]], "Save", "to.monday", "Monday, To: Please type when it ends."],
      ["widgets/new", [["#companyEmail", ""]], "Create the widget", "companyPhone", "Phone: Please type your phone number."],
      ["connections/new?of=webhook", [], "Create webhook", "name", /^Name: /],
      ["connections/new?of=jobnimbus", [["#name", ""]], "Save and try it", "name", /^Name: /],
      ["keys", [["#name", ""]], "Create a key", "name", "Name: Please type a name of at most 100 characters."],
      ["people", [["#email", "x"]], "Invite", "email", /^Email: Please type an email address/],
    ]) {
      await page.goto(`${shingle.url}/portal/${path}`);
      for (const [field, text] of fill) await page.locator(field).fill(text);
      await page.locator("main").getByRole("button", { name: button, exact: true }).last().press("Enter");
      const summary = page.getByRole("alert").filter({ hasText: "Nothing was saved." });
      await summary.waitFor();
      await assertFocused(page, first, path);
      const link = summary.getByRole("link", typeof said === "string" ? { name: said, exact: true } : { name: said });
      await link.click();
      assert.equal(new URL(page.url()).hash, `#${first}`, path);
    }
    await page.goto(`${shingle.url}/portal/notices`);
    await page.locator("#from\\.monday").fill("08:30");
    await page.locator("main").getByRole("button", { name: "Save", exact: true }).press("Enter");
    await page.getByText("Nothing was saved.").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.evaluate(() => scrollTo(0, 0));
    await picture(page, "refused-notices-1280");
    await page.context().close();
  });

  it("keeps what was typed, at its field", async () => {
    const page = await owner();
    await lead(page);
    await page.getByLabel("Due", { exact: true }).fill("2026-12-24");
    await page.getByRole("button", { name: "Save the next step" }).press("Enter");
    await page.getByText("Please type the next step.", { exact: true }).waitFor();
    await assertFocused(page, "step");
    assert.equal(await page.getByLabel("Due", { exact: true }).inputValue(), "2026-12-24");
    await page.getByLabel(/^To erase it, type/).fill("4K7Q-2M");
    await page.getByRole("button", { name: "Erase this lead" }).press("Enter");
    await page.getByText("Nothing was erased.").waitFor();
    await assertFocused(page, "reference");
    assert.equal(await page.getByLabel(/^To erase it, type/).inputValue(), "4K7Q-2M");
    await picture(page, "refused-lead-1280");
    await page.goto(`${shingle.url}/portal/settings`);
    await page.getByLabel(/^To close it, type/).fill("Quilback");
    await page.getByRole("button", { name: "Close the account" }).press("Enter");
    await page.getByText("The account is not closed.").waitFor();
    await assertFocused(page, "closing");
    assert.equal(await page.getByLabel(/^To close it, type/).inputValue(), "Quilback");
    await page.context().close();
  });

  it("or one beside it loses no note that is half written", async () => {
    const page = await owner();
    await lead(page);
    const note = page.getByLabel("Note (only your team sees it)");
    await note.fill("Ring twice.\nThe dog");
    await page.getByLabel("Status", { exact: true }).selectOption("contacted");
    await page.getByText("Saved.").waitFor();
    assert.equal(await note.inputValue(), "Ring twice.\nThe dog");
    await page.reload();
    await page.getByText("What you typed before and did not save is back.").waitFor();
    assert.equal(await note.inputValue(), "Ring twice.\nThe dog");
    await page.getByRole("button", { name: "Add note" }).press("Enter");
    await page.locator("blockquote", { hasText: "The dog" }).waitFor();
    assert.equal(await note.inputValue(), "");
    await page.reload();
    assert.equal(await note.inputValue(), "");
    // Signing out leaves nothing for the next user of this tab.
    const kept = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("shingle-note:")).length);
    await note.fill("The key is under the pot");
    assert.equal(await kept(), 1);
    await page.getByRole("button", { name: "Sign out" }).press("Enter");
    await page.waitForURL(/sign-in/);
    assert.equal(await kept(), 0);
    await page.context().close();
  });

  it("is left and come back to without a word of no connection, and its address opens its page", async () => {
    const page = await owner();
    await page.goto(`${shingle.url}/portal/people`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.reload();
    await page.getByLabel("Email").fill("x");
    await page.getByRole("button", { name: "Invite", exact: true }).press("Enter");
    await page.getByText("Nothing was saved.").waitFor();
    assert.equal(new URL(page.url()).pathname, "/portal/people/invites");
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "People" }).waitFor();
    await page.goForward().catch(() => {});
    await page.waitForTimeout(300);
    assert.equal(await page.getByText("No connection").count(), 0);
    await page.goto(`${shingle.url}/portal/people/invites`);
    assert.equal(new URL(page.url()).pathname, "/portal/people");
    await page.context().close();
  });
});
