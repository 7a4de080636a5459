// What happens to people while they use it: frames, prefills, lost connections, input methods, translators, managers of
// passwords, clocks and tabs. Nobody's lead is lost or held for it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { staticSite } from "./harness/site.js";
import { pageOf } from "./fixtures/host-pages.js";

const limits = { leads_per_visitor: 1_000, sessions_per_visitor: 10_000, suggestions_per_visitor: 10_000, roofs_per_visitor: 10_000 };
const { shingle, browser, closing } = await setUp({ limits });
const pages = {};
const site = closing(await staticSite(pages));
const widget = await shingle.widget();

async function arrive({ head = "", body = "", prepare, html } = {}) {
  pages["/"] = { html: html ?? pageOf({ head: head + widget.widgetScript, body }) };
  const visitor = await newVisitor(browser, "desktop");
  await prepare?.(visitor.page);
  await visitor.page.goto(site.url);
  return { ...visitor, flow: new Flow(visitor.page) };
}

let people = 0;
/** As far as the form, filled in; a name that nobody else has. */
async function fill({ flow }) {
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.confirmRoof();
  const last = `Number${++people}`;
  await flow.fillDetails({ first: "Dana", last, email: `dana.${people}@example.com`, consent: true });
  return last;
}
async function statusOf(last) {
  const leads = await shingle.leads();
  return leads.find((lead) => lead.lastName === last)?.status;
}

test("the hosted page works in anybody's frame, without a word of where it comes from", async () => {
  const src = `${shingle.url}/w/${widget.referenceId}`;
  const { page, problems, leave } = await arrive({ html: pageOf({ body: `<iframe src="${src}" width="1100" height="800"></iframe>` }) });
  const frame = page.frameLocator("iframe");
  const flow = new Flow(frame);
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.yes.waitFor();
  assert.deepEqual(problems, []);
  await leave();
});

test("a hosted page in a frame leaves the focus, and the place on the page, to the page around it", async () => {
  for (const query of ["", "?via=link", "?address=14%20Alder%20Court"]) {
    const src = `${shingle.url}/w/${widget.referenceId}${query}`;
    const html = pageOf({ body: `<input id="search"><div style="height:200vh"></div><iframe src="${src}" width="1100" height="800"></iframe>` });
    const { page, leave } = await arrive({ html });
    await page.locator("#search").focus();
    const frame = page.frames().find((frame) => frame.url().startsWith(shingle.url));
    // The flow is mounted, and the tasks that it planned for then have run. A frame out of sight is never painted.
    await frame.waitForFunction(() => document.getElementById("shingle").flow, undefined, { polling: 50 });
    await frame.evaluate(() => new Promise((done) => setTimeout(done)));
    assert.equal(await page.evaluate(() => document.activeElement.id), "search", query);
    assert.equal(await page.evaluate(() => scrollY), 0, query);
    await page.keyboard.type("shingles");
    assert.equal(await page.locator("#search").inputValue(), "shingles", query);
    // Inside, the focus goes along as it does anywhere.
    const flow = new Flow(page.frameLocator("iframe"));
    await flow.pick("14 Alder Co", /14 Alder Court/);
    await flow.yes.waitFor();
    await frame.waitForFunction(() => document.activeElement.id === "sh-title" || document.getElementById("shingle").shadowRoot?.activeElement?.id === "sh-title");
    await leave();
  }
});

const written = {
  srcdoc: (inner) => `<iframe srcdoc="${inner.replaceAll('"', "&quot;")}"></iframe>`,
  "blob:": (inner) => `<iframe></iframe><script>document.querySelector("iframe").src = URL.createObjectURL(
    new Blob([${JSON.stringify(inner).replaceAll("<", "\\u003c")}], { type: "text/html" }))</script>`,
};
for (const [kind, frame] of Object.entries(written))
  test(`a frame that was written by a script (${kind}) is told that it has no address`, async () => {
    const other = await shingle.widget({ domains: "example.com" });
    pages["/"] = { html: pageOf({ body: frame(pageOf({ head: other.widgetScript })) }) };
    const { page, said, leave } = await newVisitor(browser, "desktop");
    const told = page.waitForEvent("console", (message) => message.text().startsWith("Shingle"));
    await page.goto(site.url);
    assert.match((await told).text(), /a frame without address is not one of its domains/, said.join());
    await leave();
  });

const spellings = ["25 Quince Lane\nHarrow Falls, ME 04995", "25 Quince Lane\r\nHarrow Falls, ME 04995", "25\tQuince Lane,\tHarrow Falls, ME 04995",
  "  25  Quince Lane,\n\n Harrow Falls, ME\u00a004995 ", "25 Quince Lane,\u2028Harrow Falls, ME 04995", "\n25 Quince Lane, Harrow\u3000Falls, ME 04995\n"];
test("whatever separates the words of an address that the page hands over, they stay apart", async () => {
  const { page, flow, leave } = await arrive();
  await flow.launcher.waitFor();
  for (const address of spellings) {
    await page.evaluate((address) => { shingle.prefill({ address }); shingle.open(); }, address);
    await flow.address.waitFor();
    const value = await flow.address.inputValue();
    assert.match(value, /^25 Quince Lane,? Harrow Falls, ME 04995$/, JSON.stringify(address));
    await page.evaluate(() => { shingle.close(); sessionStorage.clear(); });
    await flow.address.waitFor({ state: "detached" });
  }
  await leave();
});

test("a lead that was kept offline goes as soon as the same page is online, with the dialog closed", async () => {
  const visitor = await arrive();
  const { page, flow, leave } = visitor;
  await flow.open();
  const last = await fill(visitor);
  await page.context().setOffline(true);
  await flow.showEstimate.click();
  await page.getByText(/not sent/i).or(flow.tryNow).first().waitFor();
  await page.evaluate(() => shingle.close());
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const sent = page.waitForResponse((answer) => /\/leads$/.test(answer.url()) && answer.ok());
  await page.context().setOffline(false);
  await sent;
  assert.equal(await statusOf(last), "new");
  await leave();
});

test("Escape and Enter belong to an input method while it composes", async () => {
  const { page, flow, leave } = await arrive();
  await flow.open();
  await flow.type("14 Alder Co");
  await flow.suggestion(/14 Alder Court/).waitFor();
  const press = (key, more) => flow.address.evaluate((field, init) =>
    field.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, composed: true, cancelable: true, ...init })), { key, ...more });
  for (const more of [{ isComposing: true }, { keyCode: 229 }])
    for (const key of ["Escape", "Escape", "Enter", "ArrowDown"]) await press(key, more);
  assert.equal(await page.getByRole("dialog").count(), 1);
  assert.equal(await flow.suggestion(/14 Alder Court/).isVisible(), true, "the list is open");
  await press("Escape");
  await press("Escape");
  await flow.address.waitFor({ state: "detached" });
  await leave();
});

/** What Chrome's translator does: every text becomes two elements, and what stood there is gone. */
const translate = (root) => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
  for (const text of texts) {
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.append(text.data);
    outer.append(inner);
    text.replaceWith(outer);
  }
};

test("what changes goes on changing on a page that the browser translates", async () => {
  const visitor = await arrive({ prepare: (page) => page.clock.install() });
  const { page, flow, leave } = visitor;
  await flow.open();
  await fill(visitor);
  await page.route(/\/leads$/, (route) => route.abort());
  await flow.showEstimate.click();
  await flow.tryNow.waitFor();
  const countdown = page.locator(".sh-note.warn b");
  const attempts = page.locator(".sh-note.warn [role=status]");
  const translated = () => page.evaluate(`(${translate})(document.querySelector("shingle-launcher").shadowRoot.querySelector("dialog"))`);
  await translated();
  const [was, tried] = [await countdown.innerText(), await attempts.innerText()];
  await page.clock.runFor(1_000);
  assert.notEqual(await countdown.innerText(), was);
  await translated();
  await flow.tryNow.click();
  await page.waitForFunction((was) => document.querySelector("shingle-launcher").shadowRoot.querySelector(".sh-note.warn [role=status]").innerText != was, tried);
  assert.equal(await page.locator(".sh-note.warn b").count(), 1);
  await leave();
});

for (const [how, spoil] of [
  ["there is no clipboard", () => Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined })],
  ["the clipboard refuses", () => Object.defineProperty(Navigator.prototype, "clipboard", { value: { writeText: () => Promise.reject(new Error("no")) } })],
  ["the clipboard throws", () => Object.defineProperty(Navigator.prototype, "clipboard", { value: { writeText() { throw new Error("no"); } } })],
]) {
  test(`where ${how}, the link is selected and it is said`, async () => {
    const visitor = await arrive({ prepare: (page) => page.addInitScript(spoil) });
    const { page, flow, problems, leave } = visitor;
    await flow.open();
    await fill(visitor);
    await flow.showEstimate.click();
    await flow.estimateShown();
    const field = page.locator("#sh-link");
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText(/^Not copied/).waitFor();
    const [focused, selected, all] = await field.evaluate((field) =>
      [field.getRootNode().activeElement == field, field.selectionEnd - field.selectionStart, field.value.length]);
    assert.deepEqual([focused, selected], [true, all]);
    assert.deepEqual(problems, []);
    await leave();
  });
}

test("a lead whose widget is switched off meanwhile is kept, and goes once it is on again", async () => {
  const own = await shingle.widget();
  const visitor = await arrive({ html: pageOf({ head: own.widgetScript }) });
  const { page, flow, leave } = visitor;
  await flow.open();
  const last = await fill(visitor);
  await shingle.change(own, { status: "inactive" });
  await flow.showEstimate.click();
  await flow.heading("Online estimates are paused").waitFor();
  await page.getByText("Saved here, and not sent yet").waitFor();
  assert.equal(await statusOf(last), undefined);
  await shingle.change(own, { status: "active" });
  const sent = page.waitForResponse((answer) => /\/leads$/.test(answer.url()) && answer.ok());
  await page.reload();
  await sent;
  assert.equal(await statusOf(last), "new");
  await leave();
});

/** Ways in which an honest visit looked like a program's. Each is as far as the filled-in form, and then does this. */
const honest = [
  ["sets the clock back", async ({ page }) => page.evaluate(() => { const { now } = Date; Date.now = () => now() - 3_600_000; })],
  ["sets the clock forward", async ({ page }) => page.evaluate(() => { const { now } = Date; Date.now = () => now() + 3_600_000; })],
  ["has a page that breaks the browser's own clock", async ({ page }) => page.evaluate(() => { performance.now = () => 0; })],
  ["closes the dialog and opens it again", async ({ page, flow }) => {
    await page.evaluate(() => shingle.close());
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await flow.launcher.click();
    await page.getByLabel("First name").waitFor();
  }],
  ["comes back to a tab that was restored", async ({ page, flow }) => {
    await page.reload();
    await flow.launcher.click();
    await page.getByLabel("First name").waitFor();
  }],
  ["has a manager that fills in every field", async ({ page }) => page.evaluate(() => {
    const form = document.querySelector("shingle-launcher").shadowRoot.querySelector("#sh-form");
    for (const field of form.querySelectorAll("input:not([type=checkbox])")) {
      if (!field.value) field.value = field.closest(".sh-hp") ? "https://dana.example.com" : "207 555 0143";
      for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
    }
  })],
  ["has a manager that fills in a blank", async ({ page }) => page.evaluate(() => {
    const trap = document.querySelector("shingle-launcher").shadowRoot.querySelector(".sh-hp input");
    trap.value = " ";
    trap.dispatchEvent(new Event("input", { bubbles: true }));
  })],
  ["pastes an address with characters that nobody sees", async ({ page }) => {
    await page.getByLabel("Email").fill(`\u202a\u200bdana\u00ad.pasted${people}\u200e@example.com\ufeff`);
    await page.getByLabel("First name").fill("\u200eDa\u200bna\u2060");
  }],
];
for (const [who, act] of honest) {
  test(`a homeowner who ${who} is no robot`, async () => {
    const visitor = await arrive({ prepare: (page) => page.clock.install() });
    const { page, flow, leave } = visitor;
    await flow.open();
    const last = await fill(visitor);
    // The time that a person takes.
    await page.clock.runFor(20_000);
    await act(visitor);
    await flow.showEstimate.click();
    await flow.estimateShown();
    assert.equal(await statusOf(last), "new");
    await leave();
  });
}
