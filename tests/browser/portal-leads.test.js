// A day with leads: one appears on its own, is taken, sorted and found again; by keyboard, on a phone, without a script
// and without a connection.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { violations } from "./harness/accessibility.js";
import { picture } from "./harness/browser.js";
import { assertFocused } from "./harness/focus.js";
import { sendLead } from "./harness/send-lead.js";
import { setUp } from "./harness/setup.js";
import { walk } from "./harness/walk.js";

const { shingle, browser } = await setUp({ limits: { leads_per_visitor: 1_000 } });
const widget = await shingle.widget();
const problems = [];
const asked = [];

async function window(options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  context.on("request", (request) => asked.push(request.url()));
  return { context, page };
}

/** Somebody of the company, in a browser of their own. */
async function invited(name, options = {}) {
  const { link } = await shingle.command("invite", "--account", shingle.account, "--role", "member");
  const { context, page } = await window(options);
  const path = new URL(link);
  await page.goto(shingle.url + path.pathname + path.search);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Email").fill(`${name.split(" ")[0].toLowerCase()}@quillback.example`);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: `Welcome, ${name}` }).waitFor();
  return { context, page };
}

const list = `${shingle.url}/portal/leads?data=sandbox`;
const leave = (firstName, more = {}) =>
  sendLead(shingle, widget, { firstName, email: `${firstName.toLowerCase()}@example.com`, phone: "2075550143", ...more });
const named = (page, name) => page.getByRole("link", { name: `${name} Whitfield`, exact: true });

describe("a day with leads", { concurrency: false }, () => {
  /** What his browser keeps from one test to the next. */
  let kept;
  const tomas = () => window({ storageState: kept });

  it("announces a lead that comes in on every tab that is in sight, by one stream, and moves nothing", async () => {
    for (const name of ["Dana", "Luis", "Priya"]) await leave(name);
    await leave("Robo", { website: "http://spam.example" });
    const { page, context } = await invited("Tomas Okafor");
    kept = await context.storageState();
    await page.goto(list);
    await named(page, "Priya").waitFor();
    assert.equal(await named(page, "Robo").count(), 0, "spam has a place of its own");
    const other = await context.newPage();
    await other.goto(list);
    await named(other, "Priya").waitFor();
    const rows = (of) => of.locator(".leads tbody tr").evaluateAll((all) => all.map((row) => [row.innerText, row.getBoundingClientRect().top]));
    const before = await rows(other);
    await leave("Nora");
    await other.getByText("1 new lead").waitFor();
    assert.deepEqual(await rows(other), before, "what somebody reads stays where it is");
    assert.match(await other.title(), /^\(1\) Leads/);
    await other.getByRole("link", { name: "Show them" }).click();
    await named(other, "Nora").waitFor();
    assert.match(await other.title(), /^Leads/);
    await page.getByText("1 new lead").waitFor();
    assert.equal(asked.filter((url) => url.includes("/portal/leads/live")).length, 1);
    // The tab that held the stream goes; the next one holds it.
    await page.close();
    await leave("Otto");
    await other.getByText("1 new lead").waitFor();
    await picture(other, "leads-list-1280");
    await context.close();
  });

  it("asks nothing while it is hidden, and looks when it is shown", async () => {
    const { page, context } = await tomas();
    await page.addInitScript(() => {
      const of = EventSource.prototype.close;
      window.closings = 0;
      EventSource.prototype.close = function () {
        window.closings++;
        of.call(this);
      };
      window.turn = (state) => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        dispatchEvent(new Event("visibilitychange"));
      };
    });
    const opened = page.waitForRequest(/leads\/live/);
    await page.goto(list);
    await opened;
    await page.evaluate(() => window.turn("hidden"));
    await page.waitForFunction(() => window.closings === 1);
    await leave("Mina");
    const again = page.waitForRequest(/leads\/live/);
    assert.equal(await page.getByText("1 new lead").count(), 0);
    await page.evaluate(() => window.turn("visible"));
    await again;
    await page.getByText("1 new lead").waitFor();
    await context.close();
  });

  it("is worked by keyboard alone, and the keys can be switched off", async () => {
    const { page } = await tomas();
    await page.goto(list);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await page.locator(".selected", { hasText: "2 selected" }).waitFor();
    await assertFocused(page, "bulk-status");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("2 leads updated.").waitFor();
    // Without the word of what was done, which comes again.
    await page.goto(list);
    for (const key of ["j", "j", "j", "j", "#"]) await page.keyboard.press(key);
    await page.getByText("1 lead updated.").waitFor();
    await page.getByRole("link", { name: /Suspected spam/ }).click();
    await page.getByText("Filled in a hidden field").waitFor();
    await page.getByText("Someone marked it").waitFor();
    await picture(page, "leads-spam-1280");
    await page.getByRole("button", { name: /^Not spam: / }).last().press("Enter");
    await page.getByText("Moved to your new leads.").waitFor();
    await page.goto(list);
    // From one to the next, and back to the list.
    await named(page, "Nora").click();
    const order = async () => (await page.getByRole("heading", { level: 1 }).innerText()).split(" ")[0];
    await page.getByRole("link", { name: "Next" }).waitFor();
    const [first, next] = [await order(), await page.getByRole("link", { name: "Next" }).getAttribute("href")];
    await page.keyboard.press("j");
    await page.waitForURL(shingle.url + next);
    assert.notEqual(await order(), first);
    await page.keyboard.press("k");
    await page.getByRole("heading", { name: `${first} Whitfield` }).waitFor();
    await page.getByRole("link", { name: "All leads" }).press("Enter");
    // One tick for the page.
    await page.getByRole("button", { name: "Turn these keys off" }).waitFor();
    const rows = await page.getByRole("row").count() - 1;
    const act = page.getByRole("button", { name: "Change status" });
    const places = () => page.locator(".leads tbody tr").evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top));
    const before = await places();
    assert.equal(await act.count(), 0, "nothing is selected");
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).press("Space");
    await page.locator(".selected", { hasText: `${rows} selected` }).waitFor();
    await act.waitFor();
    assert.deepEqual(await places(), before, "the bar takes the place of the filters");
    await page.getByRole("checkbox", { name: /^Select Nora/ }).press("Space");
    assert.equal(await page.getByRole("checkbox", { name: "Select all rows of this page" }).isChecked(), false);
    await page.keyboard.press("Escape");
    assert.equal(await act.count(), 0);
    await page.getByRole("checkbox", { name: /^Select Nora/ }).press("Space");
    await page.getByRole("button", { name: "Clear selection" }).press("Enter");
    assert.equal(await act.count(), 0);
    assert.ok(await page.getByRole("checkbox", { name: /^Select Nora/ }).evaluate((box) => box === document.activeElement));
    await page.getByRole("button", { name: "Turn these keys off" }).press("Enter");
    await page.keyboard.press("/");
    assert.notEqual(await page.evaluate(() => document.activeElement.id), "search");
    await page.getByRole("button", { name: "Turn these keys on" }).press("Enter");
    await page.keyboard.press("/");
    await assertFocused(page, "search");
    await page.keyboard.type("nobody");
    await page.keyboard.press("Enter");
    await page.getByText("Searched “nobody”.").waitFor();
    // A menu of filters, by keyboard.
    await page.goto(list);
    await page.locator("summary", { hasText: /^Town$/ }).press("Enter");
    await page.getByRole("checkbox", { name: /Harrow Falls/ }).press("Space");
    await picture(page, "leads-menu-1280");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Search" }).press("Enter");
    await page.waitForURL(/town=[0-9a-f]{16}/);
  });

  it("has the open tab in sight and the address as wide as the row on a phone", async () => {
    const { page } = await tomas();
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(list);
    const widths = await page.locator(".leads td.c-who").evaluateAll((cells) => cells.map((cell) => cell.lastElementChild.getBoundingClientRect().width));
    assert.ok(widths.length && widths.every((width) => width > 200), `addresses: ${widths}`);
    await page.getByRole("link", { name: "Board", exact: true }).waitFor();
    await page.goto(`${shingle.url}/portal/leads?data=sandbox&status=spam`);
    const place = await page.evaluate(() => {
      const [tab, bar] = [".inbox-tabs [aria-current]", ".inbox-tabs"].map((query) => document.querySelector(query).getBoundingClientRect());
      return { left: tab.left - bar.left, right: bar.right - tab.right };
    });
    assert.ok(place.left >= 0 && place.right >= 0, JSON.stringify(place));
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it("moves a card by a choice and by drawing it", async () => {
    const { page } = await tomas();
    await page.goto(`${shingle.url}/portal/leads/board?data=sandbox`);
    const lane = (name) => page.getByRole("region", { name, exact: true });
    const before = await lane("New").getByRole("listitem").count();
    await lane("New").getByLabel(/^Move /).first().selectOption("qualified");
    await lane("New").getByRole("button", { name: "Move" }).first().press("Enter");
    await page.getByText("Saved.").waitFor();
    assert.equal(await lane("Qualified").getByRole("listitem").count(), 1);
    await lane("New").getByRole("listitem").first().dragTo(lane("Won"));
    await page.getByText("Saved.").waitFor();
    await lane("Won").getByRole("listitem").first().waitFor();
    assert.equal(await lane("New").getByRole("listitem").count(), before - 2);
    await picture(page, "leads-board-1280");
  });

  it("tells the second of two who change one lead, and loses nothing", async () => {
    const maya = await invited("Maya Lindqvist");
    const own = await tomas();
    for (const page of [own.page, maya.page]) {
      await page.goto(`${list}&search=dana`);
      await named(page, "Dana").click();
      await page.getByRole("heading", { level: 1, name: "Dana Whitfield" }).waitFor();
    }
    await maya.page.getByLabel("Next step", { exact: true }).fill("Inspect on Tuesday");
    await maya.page.getByRole("button", { name: "Save the next step" }).press("Enter");
    await maya.page.getByText("Saved.").waitFor();
    const { page } = own;
    await page.getByLabel("Next step", { exact: true }).fill("Call about the two layers");
    await page.getByRole("button", { name: "Save the next step" }).press("Enter");
    await page.getByRole("heading", { name: /^Maya Lindqvist changed this lead/ }).waitFor();
    await assertFocused(page, "conflict");
    await page.getByText("Call about the two layers").waitFor();
    await page.locator("#conflict").getByText("Inspect on Tuesday").waitFor();
    await picture(page, "leads-conflict-1280");
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Use mine" }).press("Enter");
    await page.getByText("Saved.").waitFor();
    assert.equal(await page.getByLabel("Next step", { exact: true }).inputValue(), "Call about the two layers");
    await maya.context.close();
  });

  it("obeys a key that is pressed before the script has begun, and is whole without it", async () => {
    const { page } = await tomas();
    // A browser that never paints again: what waits for the first paint begins by the key alone.
    await page.addInitScript(() => (window.requestAnimationFrame = () => 0));
    await page.goto(list);
    const state = () => page.evaluate(() => [document.querySelector("#from").type, document.activeElement.id]);
    assert.deepEqual(await state(), ["text", ""]);
    assert.equal(await page.locator(".c-check input").count(), await page.locator(".leads tbody tr").count(), "nothing has begun");
    await page.keyboard.press("/");
    assert.deepEqual(await state(), ["date", "search"]);
  });

  it("chooses filters on a phone, whose button says what comes", async () => {
    const { page } = await tomas();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(list);
    await page.getByRole("link", { name: "Filters (0)" }).click();
    await page.getByRole("button", { name: /^Show \d+ leads$/ }).waitFor();
    await page.getByRole("checkbox", { name: /^Qualified/ }).check();
    await page.getByRole("button", { name: "Show 1 lead" }).waitFor();
    await picture(page, "leads-filters-390", { fullPage: true });
    await page.getByRole("button", { name: "Show 1 lead" }).click();
    await page.getByRole("link", { name: "Filters (1)" }).waitFor();
    assert.equal(await page.locator(".leads tbody tr").count(), 1);
    await page.locator(".leads tbody a").click();
    const call = page.getByRole("navigation", { name: "Contact the homeowner" }).getByRole("link", { name: /^Call / });
    const box = await call.boundingBox();
    assert.ok(box.y + box.height <= 844 && box.height >= 44, "the call stays under the thumb");
    await picture(page, "leads-lead-390");
  });

  it("shows every page readable at 320 px, at 400 % and on a desktop, in light, dark and forced colours", async () => {
    const { page } = await tomas();
    const { data } = await shingle.api("GET", "/api/v1/leads");
    const paths = {
      list: "/portal/leads?data=sandbox",
      none: "/portal/leads?data=sandbox&search=dana&status=lost",
      filters: "/portal/leads/filters?data=sandbox",
      board: "/portal/leads/board?data=sandbox",
      spam: "/portal/leads?data=sandbox&status=spam",
      lead: `/portal/leads/${data[0].id}?data=sandbox`,
      new: "/portal/leads/new?data=sandbox",
      replies: "/portal/settings/replies",
      offline: "/portal/offline",
    };
    const found = await walk(page, shingle.url, paths);
    assert.deepEqual(found, []);
  });

  it("adds a lead from a call on a phone, and says at the control what was saved and what was not", async () => {
    const { page } = await tomas();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(list);
    await page.getByRole("link", { name: "Add a lead" }).click();
    await page.getByLabel("Address", { exact: true }).fill("14 alder ct harrow falls me 04995");
    await page.getByRole("button", { name: "Look up the price" }).click();
    await page.getByText(/^Found: 14 Alder Court/).waitFor();
    await page.getByLabel("First name").fill("Rosa");
    await page.getByLabel("Phone").fill("207 555 0188");
    await page.getByLabel(/^Yes, by voice/).check();
    await picture(page, "leads-new-390", { fullPage: true });
    await page.getByRole("button", { name: "Add lead" }).click();
    // Others are of this home.
    await page.getByRole("heading", { name: "Already here" }).waitFor();
    assert.equal(await page.getByLabel(/^Yes, by voice/).isChecked(), true);
    await page.getByRole("button", { name: "Add anyway" }).click();
    await page.getByText("Lead added.").waitFor();
    const note = page.getByLabel("Note (only your team sees it)");
    await note.fill("Call after five");
    const status = page.getByLabel("Status", { exact: true });
    const id = new URL(page.url()).pathname.split("/").pop();
    await shingle.api("PATCH", `/api/v1/leads/${id}`, { status: "qualified" });
    await status.selectOption("won");
    await page.getByText("Someone changed it to Qualified. Your change was not saved.").waitFor();
    assert.equal(await status.inputValue(), "qualified");
    await status.selectOption("lost");
    await page.getByText("You can say below why it was lost.").waitFor();
    assert.equal(await note.inputValue(), "Call after five", "what is typed stays");
    await page.getByLabel("The price").check();
    await picture(page, "leads-lost-390", { fullPage: true });
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Save the reason" }).click();
    await page.getByText("Tomas Okafor noted why it was lost: The price").waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
    await picture(page, "leads-lost-1280", { fullPage: true });
  });

  it("says so where there is no connection, and keeps no lead on the device", async () => {
    const { page, context } = await tomas();
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(list);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    await page.reload();
    await named(page, "Dana").waitFor();
    await context.setOffline(true);
    await page.getByText("No connection.").waitFor();
    await page.goto(list).catch(() => {});
    await page.getByRole("heading", { name: "No connection" }).waitFor();
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const all = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)));
      return all.flat().sort();
    });
    assert.deepEqual(kept, ["/portal/icon.svg", "/portal/offline", "/portal/portal.css"]);
    await context.setOffline(false);
    const manifest = await (await fetch(`${shingle.url}/portal/manifest.webmanifest`)).json();
    assert.equal(manifest.start_url, "/portal/leads");
    for (const { src, type } of manifest.icons) {
      const icon = await fetch(shingle.url + src);
      assert.deepEqual([icon.status, icon.headers.get("content-type")], [200, type]);
    }
    await context.close();
    const unexpected = problems.filter((line) => !/409|422|ERR_INTERNET_DISCONNECTED/.test(line));
    assert.deepEqual(unexpected, []);
    assert.deepEqual([...new Set(asked.map((url) => new URL(url).origin))], [shingle.url]);
  });

  it("needs no script: filters, several at once, a board", async () => {
    const { page, context } = await invited("Ola Berg", { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    await page.goto(list);
    await page.getByRole("link", { name: /^Filters/ }).click();
    await page.getByRole("checkbox", { name: /^New/ }).check();
    await page.getByRole("button", { name: "Show leads" }).click();
    await page.waitForURL(/status=new/);
    await page.getByLabel(/^Select /).first().check();
    await page.getByLabel("Assign to").selectOption("me");
    await page.getByRole("button", { name: "Assign", exact: true }).click();
    await page.getByText(/^\d+ leads? assigned\.$/).waitFor();
    await page.getByRole("link", { name: /^Mine/ }).click();
    assert.equal(await page.locator(".leads tbody tr").count(), 1);
    await page.goto(`${shingle.url}/portal/leads/board?data=sandbox`);
    await page.getByLabel(/^Move /).first().selectOption("lost");
    await page.getByRole("button", { name: "Move" }).first().click();
    await page.getByText("Saved.").waitFor();
    await context.close();
  });

  it("has room for many rows, sorts by its headings and keeps what it shows in the address", async () => {
    const { page, context } = await tomas();
    for (let n = 0; n < 22; n++) await leave(`Row${String.fromCharCode(97 + n)}`);
    const inSight = () =>
      page.locator(".leads tbody tr").evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
    for (const [width, height, least] of [[1280, 900, 14], [1920, 1080, 18]]) {
      await page.setViewportSize({ width, height });
      await page.goto(list);
      const count = await inSight();
      assert.ok(count >= least, `${count} rows at ${width} x ${height}`);
      await picture(page, `inbox-${width}`);
    }
    const { width } = await page.locator(".listed").boundingBox();
    assert.ok(width > 1300 && width <= 1360, `content: ${width}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(list);
    const small = await page.locator(".leads tbody :is(a, label), .inbox-bar :is(input[type=search], .btn)").evaluateAll((all) =>
      all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44).map((one) => one.outerHTML));
    assert.deepEqual(small, []);
    await picture(page, "inbox-390");
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(list);
    await page.getByRole("link", { name: "Price", exact: true }).click();
    await page.waitForURL(/sort=price$/);
    await page.getByRole("columnheader", { name: "Price" }).and(page.locator("[aria-sort=descending]")).waitFor();
    await page.getByRole("link", { name: "Price", exact: true }).press("Enter");
    await page.getByRole("columnheader", { name: "Price" }).and(page.locator("[aria-sort=ascending]")).waitFor();
    await page.getByRole("link", { name: /^Longest waiting/ }).click();
    await page.getByRole("link", { name: /^Remove Nobody responded \d+$/ }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: /^Remove Nobody responded/ }).click();
    await page.waitForURL(/sort=oldest$/);
    await page.goBack();
    await page.getByRole("link", { name: /^Remove Nobody responded/ }).waitFor();
    await page.getByRole("link", { name: "Clear all" }).click();
    await page.locator(".found").waitFor({ state: "detached" });
    await context.close();
  });

  it("plans a step to the minute, and merges two leads value by value", async () => {
    const { page, context } = await tomas();
    for (const email of ["mara@example.com", "mara.w@example.com"]) await leave("Mara", { email, phone: "2075550177" });
    const found = async () => (await shingle.api("GET", "/api/v1/leads")).data.filter(({ firstName }) => firstName === "Mara");
    const emails = Object.fromEntries((await found()).map(({ id, email }) => [id, email]));
    const older = Object.keys(emails).find((id) => emails[id] === "mara@example.com");
    await page.goto(`${shingle.url}/portal/leads/${older}?data=sandbox`);
    await page.getByLabel("Next step", { exact: true }).fill("Call about the chimney");
    await page.getByLabel("Due", { exact: true }).fill("2020-01-02");
    await page.getByLabel("Time of day").fill("09:30");
    await page.getByRole("button", { name: "Save the next step" }).press("Enter");
    await page.getByText("Overdue").first().waitFor();
    assert.equal(await page.getByLabel("Time of day").inputValue(), "09:30");
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "Merge with Mara Whitfield" }).first().click();
    await page.getByRole("heading", { name: "Same homeowner?" }).waitFor();
    const chosen = (name) => page.locator(`[name=${name}]:checked`).getAttribute("value");
    const stays = await chosen("stays");
    const other = Object.keys(emails).find((id) => id !== stays);
    assert.equal(await chosen("keep-email"), stays);
    // The values follow, until one is chosen by itself.
    await page.locator(`[name=stays][value="${other}"]`).check();
    assert.equal(await chosen("keep-email"), other);
    await page.locator(`[name=keep-email][value="${stays}"]`).check();
    await page.locator(`[name=stays][value="${stays}"]`).check();
    await page.locator(`[name=stays][value="${other}"]`).check();
    assert.equal(await chosen("keep-email"), stays);
    await picture(page, "lead-merge-1280", { fullPage: true });
    await page.setViewportSize({ width: 390, height: 844 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sideways");
    assert.deepEqual(await violations(page), []);
    await picture(page, "lead-merge-390", { fullPage: true });
    await page.getByRole("button", { name: "Merge the two leads" }).click();
    await page.waitForURL(new RegExp(`/portal/leads/${other}`));
    assert.deepEqual((await found()).filter(({ id }) => id === other).map(({ email }) => email), [emails[stays]]);
    await picture(page, "lead-merged-390", { fullPage: true });
    await context.close();
  });

  it("brings in a file, on a phone and at a desk", async () => {
    const { page, context } = await tomas();
    const rows = [
      "Full Name,Mobile,E-mail,Job Address,Stage,Est. Total,Created,Opt-in,Salesperson",
      '"Ana Kowalski",207-555-0134,ana.k@example.com,"14 Alder Court, Harrow Falls, ME 04995",Sold,"$21,450.00",10/14/2025,,T. Okafor',
      'Ruth Adeyemi,207-555-0151,,"90 Elm Street, Westbrook, ME",Follow Up,,,,',
      '"=HYPERLINK(""x"")",207-555-0177,,"6 Quarry Lane, Saco, ME",Dead,,,,',
      'Mina Park,+82 2 555 0199,mina@example.com,"11 Dock Street, Portland, ME",Follow Up,,,,',
      "Nobody,,,Unknown,New,,,,",
    ];
    const healthy = async (name) => {
      for (const [width, height] of [[1280, 900], [390, 844]]) {
        await page.setViewportSize({ width, height });
        assert.deepEqual(await violations(page), [], `${name} at ${width}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wide, 0, `${name} at ${width} stands out sideways`);
        await picture(page, `import-leads-${name}-${width}`, { fullPage: true });
      }
    };
    await page.goto(list);
    await page.getByRole("link", { name: "Import", exact: true }).click();
    await page.getByRole("heading", { name: "Import leads" }).waitFor();
    await healthy("file");
    await page.getByLabel("A CSV file").setInputFiles({ name: "jobs-2026.csv", mimeType: "text/csv", buffer: Buffer.from(rows.join("\r\n"), "utf16le") });
    await page.getByRole("button", { name: "Upload" }).click();
    await page.getByText("Read as UTF-16, with commas.").waitFor();
    await healthy("columns");
    await page.getByLabel("Field for Opt-in").selectOption({ label: "Note" });
    await page.getByRole("button", { name: "Check 5 rows" }).click();
    await page.getByText("No phone or email").waitFor();
    await healthy("check");
    await page.getByRole("link", { name: /^Only rows that need a look/ }).click();
    await page.getByText("Rows shown: 3 of 5").waitFor();
    await page.getByRole("button", { name: "Import 4 new leads" }).click();
    await page.getByRole("heading", { name: "4 new leads are in" }).waitFor();
    await healthy("done");
    await page.getByRole("link", { name: "Show them" }).click();
    await page.getByRole("link", { name: "Mina Park" }).waitFor();
    await page.goBack();
    await page.getByText("Undo import", { exact: true }).click();
    await page.getByRole("button", { name: "Erase the leads of this file" }).click();
    await page.getByRole("heading", { name: "The import is undone" }).waitFor();
    await context.close();
  });
});
