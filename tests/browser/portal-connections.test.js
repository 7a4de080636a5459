// Connections, notices, keys and usage in the portal: every page on a narrow phone and a desktop, in light, dark and
// forced colors, and the whole way of a webhook without scripts.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { violations } from "./harness/accessibility.js";
import { picture } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";
import { walk } from "./harness/walk.js";

const { shingle, browser } = await setUp();
const problems = [];
const asked = [];
let kept;

async function person(options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, storageState: kept, ...options });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => asked.push(new URL(request.url()).origin));
  return { page, leave: async () => { kept = await context.storageState(); await context.close(); } };
}

describe("what tells others of a lead, and what it costs", { concurrency: false }, () => {
  /** Pages that are looked at one by one. */
  const asks = "connect?return=https%3A%2F%2Fwww.quillback.example%2Fback&state=0123456789abcdef&challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  const pages = ["connections", "connect", asks, "connections/new?of=webhook", "connections/new?of=jobnimbus", "connections/new?of=google-sheets", "connections/new?of=zapier", "notices", "keys", "usage", "usage/statement", "more"];

  it("a webhook is made, tried and switched without scripts", async () => {
    const { page, leave } = await person();
    await page.goto(shingle.log.match(/"setup":\s*"([^"]+)"/)[1]);
    await page.getByLabel("Your name").fill("Maya Lindqvist");
    await page.getByLabel("Email").fill("maya@harborpine.example");
    await page.getByLabel("Company").fill("Harbor & Pine Roofing");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Welcome, Maya Lindqvist" }).waitFor();
    await leave();

    const { page: plain, leave: close } = await person({ javaScriptEnabled: false });
    await plain.goto(`${shingle.url}/portal/connections`);
    await plain.getByRole("link", { name: /^Webhook/ }).click();
    await plain.getByLabel("Name", { exact: true }).fill("CRM");
    await plain.getByLabel("Address").fill("https://hooks.example.invalid/shingle");
    await plain.getByLabel("A lead changes").check();
    await plain.getByRole("button", { name: "Create webhook" }).click();
    await plain.getByText("You won’t see it again").waitFor();
    assert.match(await plain.locator("#secret").textContent(), /^whsec_/);
    await plain.getByRole("button", { name: "Send a test event" }).click();
    await plain.getByText(/Next try:/).waitFor({ timeout: 60_000 });
    await plain.getByRole("link", { name: "CRM" }).click();
    pages.push(new URL(plain.url()).pathname.slice("/portal/".length));
    pages.push((await plain.locator("#log li a").first().getAttribute("href")).slice("/portal/".length));
    await plain.getByRole("button", { name: "Switch off" }).click();
    await plain.getByText("It’s off. We skip what was on its way").waitFor();
    await close();
  });

  it("a connector is tried before it is on, a key is copied once, and notices are foreseen", async () => {
    const { page, leave } = await person();
    await page.goto(`${shingle.url}/portal/connections/new?of=jobnimbus`);
    await page.getByLabel("API key").fill("jn-secret-key");
    await page.getByRole("button", { name: "Save and try it" }).click();
    await page.getByRole("button", { name: "Show what would be sent" }).click();
    await page.getByRole("heading", { name: "What would be sent" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await picture(page, "portal-dry-run");
    pages.push(new URL(page.url()).pathname.slice("/portal/".length).replace(/\/try$/, ""));
    await page.goto(`${shingle.url}/portal/keys`);
    await page.getByLabel("Name", { exact: true }).fill("Website");
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByText("You won’t see it again.").waitFor();
    assert.ok(await page.getByRole("button", { name: "Copy" }).isVisible());
    const key = (await page.locator("#key").textContent()).trim();
    const found = await fetch(`${shingle.url}/api/v1/leads`, { headers: { token: key } });
    assert.equal(found.status, 200);
    await page.goto(`${shingle.url}/portal/notices`);
    await page.getByLabel("Email", { exact: true }).first().fill("maya@harborpine.example");
    await page.getByLabel("Time zone").selectOption("America/New_York");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved. It applies").waitFor();
    await leave();
  });

  it("every page keeps the rules of accessibility and fits a phone", async () => {
    const { page, leave } = await person();
    const paths = Object.fromEntries(pages.map((path) => [path.replace(/\W+/g, "-").slice(0, 30), `/portal/${path}`]));
    assert.deepEqual(await walk(page, shingle.url, paths), []);
    await leave();
    assert.deepEqual(problems, [], "nothing was refused by the policy");
    assert.deepEqual([...new Set(asked)], [shingle.url], "and nothing was asked of anybody else");
  });
});
