// An agency: widgets of several roofers, a client who sees one of them, and the agency's own look.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { violations } from "./harness/accessibility.js";
import { picture } from "./harness/browser.js";
import { sendLead } from "./harness/send-lead.js";
import { setUp } from "./harness/setup.js";

const { shingle, browser } = await setUp({ environment: "production" });
const site = { domains: "127.0.0.1" };
const oak = await shingle.widget({ ...site, firstPageTitle: "Oak Street Roofing: what would a new roof cost?" });
const elm = await shingle.widget({ ...site, firstPageTitle: "Elm Roofing: what would a new roof cost?" });
await sendLead(shingle, oak, { firstName: "Ann", email: "ann@example.com" });
await sendLead(shingle, elm, { firstName: "Zebulon", email: "zebulon@example.com" });

/** Opens an invite in a browser of its own. */
async function join(link, email, options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US", ...options });
  const page = await context.newPage();
  const { pathname, search } = new URL(link);
  await page.goto(shingle.url + pathname + search);
  await page.getByLabel("Your name").fill("Kim Park");
  if (email) await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: "Welcome, Kim Park" }).waitFor();
  return page;
}

/** Fits from a small phone to a wide screen, and is readable by everybody. */
async function looks(page, name) {
  for (const [width, height] of [[320, 640], [390, 844], [1280, 900]]) {
    await page.setViewportSize({ width, height });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(over <= 0, `${name} is ${over} px wider than a window of ${width}`);
    assert.deepEqual(await violations(page), [], `${name} at ${width}`);
    await picture(page, `portal-agency-${name}-${width}`, { fullPage: true });
  }
}

describe("an agency and its clients", { concurrency: false }, () => {
  let kept;
  /** The owner, in a new window each time: a test that ends closes all of them. */
  async function owner() {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US", storageState: kept });
    return context.newPage();
  }

  it("invites a client, who sees their own leads and no dead ends", async () => {
    const { link } = await shingle.command("invite", "--account", shingle.account, "--role", "owner");
    const page = await join(link, "kim@ridge.example");
    kept = await page.context().storageState();
    await page.goto(`${shingle.url}/portal/people`);
    await page.getByLabel("Email").fill("client@oak.example.com");
    await page.getByLabel("Only the widgets ticked below").check();
    await page.getByRole("group", { name: "Only these widgets" }).getByLabel(/Oak Street/).check();
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByText(/Client: Oak Street/).waitFor();
    const invite = await page.locator("#invite-link").innerText();
    await looks(page, "people");

    const theirs = await join(invite, null);
    await theirs.goto(`${shingle.url}/portal/leads`);
    await theirs.getByText("Ann Whitfield").first().waitFor();
    assert.equal(await theirs.getByText("Zebulon").count(), 0);
    await looks(theirs, "client-leads");
    // Every link and form of each page they have leads somewhere.
    const seen = new Set();
    const open = ["/portal/leads", "/portal/results", "/portal/settings", "/portal/calendar", "/portal/phone", "/portal/leads/new", "/portal/leads/board"];
    const lead = await theirs.getByRole("link", { name: /Ann Whitfield/ }).first().getAttribute("href");
    for (const path of [...open, lead]) {
      await theirs.goto(shingle.url + path);
      await picture(theirs, `portal-agency-client${path.split("?")[0].replaceAll("/", "-")}`, { fullPage: true });
      for (const href of await theirs.locator("a[href^='/']").evaluateAll((all) => all.map((a) => a.getAttribute("href")))) seen.add(href);
    }
    for (const href of seen) {
      const { status } = await theirs.context().request.get(shingle.url + href, { headers: { accept: "text/html" }, maxRedirects: 5 }).then((answer) => ({ status: answer.status() }));
      assert.ok(status < 400, `${href} answers ${status}`);
    }
    assert.ok(seen.size > 20, [...seen].join(" "));
    await theirs.context().close();
  });

  it("copies a widget, changes several at once, and sees what is missing", async () => {
    const page = await owner();
    await page.goto(`${shingle.url}/portal/widgets`);
    await looks(page, "widgets");
    await page.getByRole("button", { name: /Duplicate Elm/ }).click();
    await page.getByText("This is the copy, and it is off.").waitFor();
    await page.goto(`${shingle.url}/portal/widgets`);
    await page.getByLabel("Take from").selectOption({ index: 0 });
    await page.getByLabel("Prices and the monthly example").check();
    await page.getByRole("group", { name: "Put it into" }).getByRole("checkbox").last().check();
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText("1 widget is up to date.").waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Usage by widget" }).waitFor();
    await looks(page, "overview");
    await page.goto(`${shingle.url}/portal/notices`);
    await page.getByText("Only these widgets").first().click();
    await looks(page, "notices");
    await page.goto(`${shingle.url}/portal/keys`);
    await looks(page, "keys");
  });

  it("has its own name, color and logo on every page", async () => {
    const page = await owner();
    await page.goto(`${shingle.url}/portal/settings/brand`);
    await page.getByLabel("Name", { exact: true }).fill("Ridge Media");
    await page.getByLabel("Color").fill("#b3005e");
    await page.getByLabel("Logo").setInputFiles(new URL("../../www/demo/logo.png", import.meta.url).pathname);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await looks(page, "brand");
    await page.goto(`${shingle.url}/portal/leads`);
    assert.equal(await page.title(), "Leads · Ridge Media");
    assert.equal(await page.locator(".mark").innerText(), "Ridge Media");
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent").trim()), "#b3005e");
    assert.ok(await page.locator("img.brand-logo").evaluate((img) => img.complete && img.naturalWidth > 0));
    await looks(page, "brand-leads");
    await page.emulateMedia({ colorScheme: "dark" });
    await looks(page, "brand-dark");
  });
});
