// The portal, as a contractor's people use it: from the link that a new server prints to a lead that somebody is on. Every
// page on a narrow phone and a desktop, in light, dark and forced colors.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { violations } from "./harness/accessibility.js";
import { newVisitor, picture } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { contractorSite } from "./harness/site.js";
import { walk } from "./harness/walk.js";

const { shingle, browser, closing } = await setUp();
const widget = await shingle.widget();
const site = closing(await contractorSite(widget.widgetScript));
/** A form that is sent sooner than this is taken for a robot's. */
const fastestPerson = 1_500;

async function leave(first) {
  const visitor = await newVisitor(browser, "phone");
  const flow = new Flow(visitor.page);
  await visitor.page.goto(site.url);
  await flow.open();
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.confirmRoof();
  await flow.fillDetails({ first, last: "Whitfield", email: `${first.toLowerCase()}@example.com`, phone: "2075550301", consent: true });
  await visitor.page.waitForTimeout(fastestPerson);
  await flow.showEstimate.click();
  await flow.estimateShown();
  await visitor.leave();
}

const problems = [];
const asked = [];
/** The page of the widget that was made in the portal. */
let made;
/** What a browser keeps from one test to the next. */
let kept;

/** The user who signed in last. */
async function person(options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, storageState: kept, ...options });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => asked.push(new URL(request.url()).origin));
  const leave = async () => {
    kept = await context.storageState();
    await context.close();
  };
  return { page, leave };
}

describe("a new installation", { concurrency: false }, () => {
  it("is claimed by the link that the server prints, once", async () => {
    const { page, leave: close } = await person();
    const link = shingle.log.match(/"setup":\s*"([^"]+)"/)[1];
    await page.goto(link);
    assert.equal(page.url(), `${shingle.url}/setup`, "the key stays in no history");
    await picture(page, "portal-setup");
    assert.deepEqual(await violations(page), []);
    assert.ok(await page.getByLabel("Your name").evaluate((field) => field === document.activeElement));
    await page.keyboard.type("Maya Lindqvist");
    await page.keyboard.press("Tab");
    await page.keyboard.type("maya@quillback.example");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Quillback Roofing");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Welcome, Maya Lindqvist" }).waitFor();
    assert.equal(await page.locator(".codes li").count(), 8);
    await picture(page, "portal-welcome");
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("I have kept them").check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Where’s your website?" }).waitFor();
    await page.getByRole("link", { name: "Finish later" }).click();
    await page.getByRole("heading", { name: "No lead yet" }).waitFor();
    const other = await browser.newContext();
    const late = await other.newPage();
    await late.goto(link);
    await late.getByRole("heading", { name: "This installation is set up" }).waitFor();
    await other.close();
    await close();
  });

  it("lets one person work in two companies, and keeps their tabs apart", async () => {
    const { page } = await person();
    const local = (link) => shingle.url + new URL(link).pathname + new URL(link).search;
    await page.goto(local((await shingle.command("user", "reset", "maya@quillback.example")).link));
    await page.getByRole("button", { name: "Sign in" }).click();
    const invite = ["invite", "--account", shingle.account, "--role", "owner", "--email", "maya@quillback.example"];
    await page.goto(local((await shingle.command(...invite)).link));
    await page.getByText("You’re signed in as maya@quillback.example").waitFor();
    assert.deepEqual(await violations(page), []);
    await picture(page, "portal-invite-known");
    await page.getByRole("button", { name: /^Join / }).press("Enter");
    await page.getByText("You joined this company.").waitFor();
    const other = await page.context().newPage();
    await other.goto(`${shingle.url}/portal/people`);
    const choice = page.locator(".rail > .co");
    const name = await choice.locator("summary").innerText();
    await choice.locator("summary").press("Enter");
    await choice.getByRole("button", { name: /Quillback Roofing/ }).waitFor();
    assert.deepEqual(await violations(page), []);
    await picture(page, "portal-companies-open");
    await page.keyboard.press("Escape");
    assert.equal(await choice.getAttribute("open"), null);
    assert.equal(await choice.locator("summary").evaluate((summary) => summary === document.activeElement), true);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await choice.locator("summary", { hasText: "Quillback Roofing" }).waitFor();
    // The tab of the other company.
    await other.getByLabel("Email").fill("late@quillback.example");
    await other.getByRole("button", { name: /^Invite/ }).click();
    await other.getByRole("heading", { name: "You switched companies" }).waitFor();
    await other.close();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${shingle.url}/portal/more`);
    await page.getByRole("link", { name: "All your companies" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await picture(page, "portal-companies-more");
    await page.getByRole("link", { name: "All your companies" }).click();
    await page.getByText("You’re here").waitFor();
    assert.deepEqual(await violations(page), []);
    await picture(page, "portal-companies");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sideways");
    await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
    await page.waitForURL(/\/portal\/leads/);
    // The next test's person is another one.
    await page.context().close();
  });

  it("lets an owner who was invited read a lead, be on it, and finish it by keyboard alone", async () => {
    const { page, leave: close } = await person();
    // The widget is of the account that the command line made.
    const { link } = await shingle.command("invite", "--account", shingle.account, "--role", "owner");
    const path = new URL(link);
    await page.goto(shingle.url + path.pathname + path.search);
    await page.getByLabel("Your name").fill("Tomas Okafor");
    await page.getByLabel("Email").fill("tomas@quillback.example");
    await picture(page, "portal-invite");
    await page.getByRole("button", { name: "Join" }).click();
    await page.getByRole("heading", { name: "Welcome, Tomas Okafor" }).waitFor();
    for (const first of ["Dana", "Luis"]) await leave(first);
    await page.goto(`${shingle.url}/portal/leads?data=sandbox`);
    await page.getByRole("link", { name: "Luis Whitfield" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Luis Whitfield" }).waitFor();
    await page.getByRole("button", { name: "I’m on it" }).press("Enter");
    await page.getByText("Tomas Okafor is on it.").waitFor();
    // It saves itself, once the arrow keys rest.
    const status = page.getByLabel("Status", { exact: true });
    // Keys pass over choices: Enter saves the one that is wanted.
    await status.press("ArrowDown");
    await status.press("Enter");
    await page.getByRole("status").filter({ hasText: "Saved." }).waitFor();
    assert.equal(await status.evaluate((control) => control === document.activeElement), true, "the focus stays");
    await page.getByText("Tomas Okafor set the status to Contacted").waitFor();
    const lead = (await shingle.api("GET", "/api/v1/leads")).data.find(({ firstName }) => firstName === "Luis");
    assert.deepEqual([lead.status, lead.takenBy], ["contacted", "Tomas Okafor"]);
    await page.getByRole("link", { name: "Drawing and print sheet" }).click();
    await page.getByText("14 Alder Court").first().waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "All leads" }).click();
    // Keys are heard once the script says that they can be turned off.
    await page.locator("#keys-switch:not([hidden])").waitFor({ state: "attached" });
    await page.keyboard.press("/");
    await page.keyboard.type("dana");
    await page.keyboard.press("Enter");
    // Both are in the previous list too.
    await page.waitForURL(/search=dana/);
    await page.getByRole("link", { name: "Dana Whitfield" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Luis Whitfield" }).count(), 0);
    await close();
  });

  it("shows what was done about a lead, and a lead that comes in while the list is open", async () => {
    const { page, leave: close } = await person();
    await page.goto(`${shingle.url}/portal/leads?data=sandbox`);
    await page.getByRole("link", { name: "Luis Whitfield" }).click();
    const drawing = page.getByRole("img", { name: /^The roof of / });
    await drawing.scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelector(".drawing").naturalWidth > 100);
    await page.getByLabel("Note (only your team sees it)").fill("Ring twice.\nThe dog is friendly.");
    await page.getByRole("button", { name: "Add note" }).press("Enter");
    await page.getByText("The dog is friendly.").first().waitFor();
    // The person who is on it has it.
    assert.equal(await page.getByLabel("Assignee", { exact: true }).locator("option:checked").innerText(), "Tomas Okafor");
    for (const [whose, told] of [["Nobody", "Tomas Okafor unassigned it"], ["Tomas Okafor", "Tomas Okafor took it"]]) {
      await page.getByLabel("Assignee", { exact: true }).selectOption({ label: whose });
      await page.getByText(told).waitFor();
    }
    await page.getByLabel("Next step", { exact: true }).fill("Bring samples");
    await page.getByLabel("Due", { exact: true }).fill("2026-12-01");
    await page.getByRole("button", { name: "Save the next step" }).press("Enter");
    await page.getByText("Tomas Okafor planned: Bring samples, Dec 1, 2026").waitFor();
    await page.goto(`${shingle.url}/portal/leads?data=sandbox&assignee=me`);
    await page.getByRole("link", { name: "Luis Whitfield" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Dana Whitfield" }).count(), 0);
    // The built-in list of one’s own is not kept a second time.
    await page.goto(`${shingle.url}/portal/leads?data=sandbox&assignee=me&search=whitfield`);
    await page.getByText("Save this view").press("Enter");
    await page.getByLabel("Name this view").fill("My own");
    await page.keyboard.press("Enter");
    await page.getByText("View saved.").waitFor();
    await page.getByRole("link", { name: /^My own/ }).waitFor();

    await page.goto(`${shingle.url}/portal/leads?data=sandbox`);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    assert.ok(await page.locator(".leads tbody input[type=checkbox]").first().isChecked(), "selected by a key");
    await page.keyboard.press("x");
    await leave("Nora");
    await page.getByText("1 new lead").waitFor();
    assert.equal(await page.getByRole("link", { name: "Nora Whitfield" }).count(), 0, "nobody’s place in the list is lost");
    await page.getByRole("status").getByRole("link", { name: "Show them" }).click();
    await page.getByRole("link", { name: "Nora Whitfield" }).waitFor();
    await leave("Otto");
    await page.getByText("1 new lead").waitFor();
    await close();
  });

  it("lets an owner make a widget without a terminal, by keyboard alone, and shows it as visitors see it", async () => {
    const { page, leave: close } = await person();
    await page.goto(`${shingle.url}/portal/widgets`);
    await page.getByRole("heading", { name: "No widget yet" }).waitFor();
    await picture(page, "portal-no-widget");
    await page.getByRole("link", { name: "New widget" }).press("Enter");
    await page.getByRole("button", { name: "Create the widget" }).press("Enter");
    await page.getByText(/^Please type your phone number\.$/).waitFor();
    const typed = {
      Website: "quillback.example",
      "Company name": "Quillback Roofing",
      Phone: "207.555.0143",
      Email: "office@quillback.example",
      Address: "5 Mill St, Portland, ME 04101",
      "Privacy policy": "quillback.example/privacy",
    };
    for (const [label, text] of Object.entries(typed)) {
      await page.getByLabel(label, { exact: true }).focus();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(text);
    }
    await page.keyboard.press("Enter");
    await page.getByText("Your widget is ready.").waitFor();
    const preview = page.frameLocator("iframe.preview");
    await preview.getByRole("heading", { name: "See what a new roof would cost" }).waitFor();
    // The frame asks for a session and for suggestions; this installation has no homes of its own yet.
    const asked = page.waitForResponse((answer) => answer.url().endsWith("/suggest"));
    await preview.getByRole("combobox", { name: "Your home address" }).pressSequentially("14 Alder Co");
    assert.equal((await asked).status(), 200);
    await preview.getByRole("option", { name: /Enter the address in parts/ }).waitFor();
    const script = await page.getByLabel("Copy this line into your site").inputValue();
    await page.getByRole("button", { name: "Copy" }).first().press("Enter");
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.match(script, /^<script async src="http.*\/w\/[0-9a-f-]{36}\.js"><\/script>$/);
    assert.equal((await fetch(script.match(/src="([^"]+)"/)[1])).status, 200);
    await page.getByLabel("Title of the first page", { exact: true }).fill("What would your roof cost?");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "What changes for visitors" }).waitFor();
    await page.getByRole("button", { name: "Publish" }).press("Enter");
    await page.getByRole("status").getByText("Published.").waitFor();
    await preview.getByRole("heading", { name: "What would your roof cost?" }).waitFor();
    made = new URL(page.url()).pathname;
    await close();
  });

  it("shows every page readable at 320 px, at 400 % and on a desktop, in light, dark and forced colours, and asks nobody else", async () => {
    const { page, leave: close } = await person();
    const lead = (await shingle.api("GET", "/api/v1/leads")).data[0].id;
    const paths = {
      leads: "/portal/leads?data=sandbox",
      "no-lead": "/portal/leads",
      lead: `/portal/leads/${lead}?data=sandbox`,
      widgets: "/portal/widgets",
      "new-widget": "/portal/widgets/new",
      widget: made,
      settings: "/portal/settings",
      "settings-keep": "/portal/settings?keep=365",
      more: "/portal/more",
      "start-site": "/portal/start?step=2",
      "start-none": "/portal/start?step=2&site=none",
      "start-prices": "/portal/start?step=3",
      "start-area": "/portal/start?step=4",
      "start-live": "/portal/start?step=5",
      "start-lead": "/portal/start?step=6",
      "start-done": "/portal/start?step=done",
      usage: "/portal/usage",
      people: "/portal/people",
      phone: "/portal/phone",
      "not-there": "/portal/leads/x",
      ended: "/portal/invite?token=x",
      offline: "/portal/offline",
      recovery: "/portal/sign-in/recovery",
      "sign-in": "/portal/sign-in",
    };
    const found = await walk(page, shingle.url, paths);
    await close();
    assert.deepEqual(found, []);
    // A page that is not there, a link that has run out, and a form that was refused, say so to the console.
    assert.deepEqual(problems.filter((line) => !/404|410|422/.test(line)), []);
    assert.deepEqual([...new Set(asked)], [shingle.url]);
  });

  it("needs no script: a code, a lead, a status", async () => {
    const { link } = await shingle.command("user", "reset", "tomas@quillback.example");
    const path = new URL(link);
    const plain = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const still = await plain.newPage();
    await still.goto(shingle.url + path.pathname + path.search);
    await still.getByRole("button", { name: "Sign in" }).click();
    await still.getByRole("link", { name: "Test data", exact: true }).click();
    await still.getByLabel("Select Dana Whitfield").check();
    await still.getByLabel("Change status to").selectOption("won");
    await still.getByRole("button", { name: "Change status" }).click();
    await still.getByText("1 lead updated.").waitFor();
    await still.goto(`${shingle.url}/portal/leads?data=sandbox&status=won`);
    await still.getByRole("link", { name: "Dana Whitfield" }).click();
    await still.getByRole("heading", { level: 1, name: "Dana Whitfield" }).waitFor();
    await plain.close();
    // The reset has ended the session of the other browser.
    const { page, leave: close } = await person();
    await page.goto(`${shingle.url}/portal/leads`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await close();
  });

  it("is closed by an owner, says so, and opens again", async () => {
    const { link } = await shingle.command("user", "reset", "maya@quillback.example");
    const path = new URL(link);
    const { page, leave: close } = await person({ storageState: undefined });
    await page.goto(shingle.url + path.pathname + path.search);
    await page.getByRole("button", { name: "Sign in" }).press("Enter");
    await page.goto(`${shingle.url}/portal/settings`);
    await page.getByLabel("To close it, type Quillback Roofing").fill("Quillback Roofing");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "This account is closed" }).waitFor();
    assert.deepEqual(await walk(page, shingle.url, { closed: "/portal/closed" }), []);
    await page.getByRole("button", { name: "Reopen it" }).press("Enter");
    await page.getByText("The account is open again.").waitFor();
    await close();
  });

  it("costs a browser little", async () => {
    const weigh = async (path) => brotliCompressSync(Buffer.from(await (await fetch(shingle.url + path)).arrayBuffer())).length;
    const [script, style] = [await weigh("/portal/portal.js"), await weigh("/portal/portal.css")];
    console.log(`portal.js ${script} bytes, portal.css ${style} bytes, brotli`);
    assert.ok(script <= 12_000, `${script}`);
  });
});
