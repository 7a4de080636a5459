// The ways in with a device that makes passkeys: Chromium's own virtual one. And the first ten minutes, from the link that a new
// server prints to a lead in the inbox.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { violations } from "./harness/accessibility.js";
import { picture } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

// Devices make no passkeys for an address without a name.
const { shingle, browser } = await setUp({
  before: async (shingle) => {
    shingle.port = await freePort();
    shingle.publicUrl = `http://localhost:${shingle.port}`;
  },
});
const home = shingle.publicUrl;

async function person({ device = true, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  await tools.send("WebAuthn.enable");
  const add = async (credentials = []) => {
    const { authenticatorId } = await tools.send("WebAuthn.addVirtualAuthenticator", {
      options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    });
    for (const credential of credentials) await tools.send("WebAuthn.addCredential", { authenticatorId, credential });
    return authenticatorId;
  };
  const authenticatorId = device ? await add() : null;
  const credentials = async () => (await tools.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
  return { page, context, tools, add, authenticatorId, credentials };
}

let kept;

describe("signing in", { concurrency: false }, () => {
  it("claims an installation with a passkey, and makes a widget and a test lead without a terminal", async () => {
    const visitor = await person();
    const { page } = visitor;
    await page.goto(shingle.log.match(/"setup":\s*"([^"]+)"/)[1]);
    await page.getByRole("button", { name: "Create my passkey" }).waitFor();
    await picture(page, "sign-in-setup");
    assert.deepEqual(await violations(page), []);
    // Mistakes are reported before a device is asked.
    await page.getByLabel("Your name").fill("Maya Lindqvist");
    await page.getByLabel("Company").fill("Quillback Roofing");
    await page.getByRole("button", { name: "Create my passkey" }).click();
    await page.getByText("Please type an email address").waitFor();
    assert.deepEqual(await visitor.credentials(), []);
    await page.getByLabel("Email").fill("maya@quillback.example");
    await page.getByRole("button", { name: "Create my passkey" }).click();
    await page.getByRole("heading", { name: "Welcome, Maya Lindqvist" }).waitFor();
    assert.equal(await page.locator(".codes li").count(), 8);
    kept = await visitor.credentials();
    assert.equal(kept.length, 1);
    assert.equal(kept[0].rpId, "localhost");

    await page.getByRole("button", { name: "Continue" }).click();
    assert.ok(await page.getByLabel("I have kept them").evaluate((box) => box === document.activeElement), "asked for once");
    await page.getByLabel("I have kept them").check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Step 2 of 6").waitFor();
    await picture(page, "start-site");
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("Website").first().fill("quillback.example");
    await page.getByRole("button", { name: "Read my site" }).click();
    await page.getByRole("heading", { name: "We couldn’t read your site" }).waitFor();
    await page.getByLabel("Phone").fill("(207) 555-0143");
    await picture(page, "start-read");
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("Address", { exact: true }).fill("5 Mill St, Portland, ME 04101");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Step 3 of 6").waitFor();
    await picture(page, "start-prices");
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Step 4 of 6").waitFor();
    await picture(page, "start-area");
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "Continue without homes" }).click();
    await page.frameLocator("iframe.preview").getByRole("heading", { name: "See what a new roof would cost" }).waitFor();
    assert.match(await page.getByLabel("Copy this line into your site").inputValue(), /^<script async src="http/);
    await picture(page, "start-live");
    assert.deepEqual(await violations(page), []);
    // Left and taken up again: it goes on with what is there.
    await page.goto(`${home}/portal/start?step=6`);
    await page.getByText("Email is not set up on this server").waitFor();
    await picture(page, "start-lead");
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Send test lead" }).click();
    await page.getByRole("heading", { name: "You’re ready for leads" }).waitFor();
    await picture(page, "start-done");
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "Open it" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Jordan Ellis" }).waitFor();
    await visitor.context.close();
  });

  it("signs in by the button, and by what the email field offers", async () => {
    const visitor = await person({ device: false });
    const { page } = visitor;
    await page.goto(`${home}/portal/sign-in`);
    await visitor.add(kept);
    await page.getByRole("button", { name: "Continue with a passkey" }).click();
    await page.getByRole("heading", { name: "No lead yet" }).waitFor();
    await page.goto(`${home}/portal/settings`);
    await page.getByText("by passkey").waitFor();
    await picture(page, "sign-in-settings", { fullPage: true });
    // At the end of the page: wherever else, its bar lies over half a row.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    assert.deepEqual(await violations(page), []);
    await visitor.context.close();
  });

  it("says at another address of the server where passkeys work", async () => {
    const visitor = await person();
    await visitor.page.goto(`http://127.0.0.1:${shingle.port}/portal/sign-in`);
    await visitor.page.getByRole("button", { name: "Continue with a passkey" }).click();
    await visitor.page.getByText(`Passkeys work at ${home} only.`).waitFor();
    assert.equal(await visitor.page.getByText("That did not work.").isVisible(), false);
    assert.deepEqual(await violations(visitor.page), []);
    await visitor.context.close();
  });

  it("says what to do where no device answers, and works without scripts", async () => {
    const visitor = await person({ device: false });
    await visitor.tools.send("WebAuthn.addVirtualAuthenticator", {
      options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: false },
    });
    await visitor.page.goto(`${home}/portal/sign-in`);
    await picture(visitor.page, "sign-in-page");
    assert.deepEqual(await violations(visitor.page), []);
    await visitor.page.getByRole("button", { name: "Continue with a passkey" }).click();
    await visitor.page.getByText("That did not work.").waitFor();
    await visitor.context.close();

    const plain = await browser.newContext({ javaScriptEnabled: false });
    const still = await plain.newPage();
    await still.goto(`${home}/portal/sign-in`);
    assert.equal(await still.getByRole("button", { name: "Continue with a passkey" }).isVisible(), false);
    await still.getByRole("link", { name: "Use a recovery code" }).click();
    await still.getByRole("heading", { name: "Recovery code" }).waitFor();
    await plain.close();
  });
});
