// What a page view costs: the loader alone, until a visitor comes near, stays for ten seconds, or has a lead that waits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";

const { shingle, browser, closing } = await setUp();

/** A visitor with a clock of the test's, the paths that were asked of the service, and a way to wait for the runtime. */
async function arrive(fetchAhead, { prepare, fields } = {}) {
  const widget = await shingle.widget(fields);
  if (fetchAhead) await shingle.api("PUT", `/api/v1/roof-estimate-widget/${widget.referenceId}/settings`, { fetchAhead });
  const site = closing(await minimalSite(widget.widgetScript));
  const visitor = await newVisitor(browser, "desktop");
  const { page } = visitor;
  const asked = [];
  page.on("request", (request) => request.url().startsWith(shingle.url) && asked.push(new URL(request.url()).pathname));
  const module = page.waitForResponse((answer) => answer.url().endsWith(".wasm"), { timeout: 0 });
  module.catch(() => {});
  const fetched = () => module;
  await page.clock.install();
  await page.addInitScript(prepare ?? (() => {}), widget.referenceId);
  await page.goto(site.url);
  await page.locator(".sl").waitFor();
  const loader = [new URL(widget.widgetScript.match(/src="([^"]+)"/)[1]).pathname];
  return { page, asked, loader, fetched, leave: visitor.leave };
}

test("a visitor who leaves within ten seconds has fetched the loader alone, one who stays has all", async () => {
  const { page, asked, loader, fetched, leave } = await arrive();
  await page.clock.runFor(5_000);
  await page.mouse.move(40, 40);
  assert.deepEqual(asked, loader);
  await Promise.all([fetched(), page.clock.runFor(6_000)]);
  await leave();
});

test("where the settings say so, only intent fetches: a mouse that comes near, the focus, a finger", async () => {
  const near = async ({ page }) => {
    const box = await page.locator(".sl").boundingBox();
    await page.mouse.move(box.x - 400, box.y - 400);
    await page.mouse.move(box.x - 60, box.y - 60, { steps: 4 });
  };
  const signs = { near, focus: ({ page }) => page.locator(".sl").focus(), hover: ({ page }) => page.locator(".sl").hover() };
  for (const [name, sign] of Object.entries(signs)) {
    const { page, asked, loader, fetched, leave } = await arrive("intent");
    await page.clock.runFor(60_000);
    assert.deepEqual(asked, loader, name);
    await Promise.all([fetched(), sign({ page })]);
    await leave();
  }
});

test("where the settings say so, the runtime comes when the page has nothing else to do", async () => {
  const { page, fetched, leave } = await arrive("idle");
  await Promise.all([fetched(), page.clock.runFor(100)]);
  await leave();
});

test("a visitor who saves data fetches nothing before the tap, however long he stays", async () => {
  const saves = () => Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  const { page, asked, loader, leave } = await arrive("dwell", { prepare: saves });
  await page.clock.runFor(60_000);
  assert.deepEqual(asked, loader);
  await leave();
});

test("a lead that waits on the device is not kept waiting", async () => {
  const waits = (id) => localStorage.setItem(`shingle:${id}:key`, JSON.stringify({ at: Date.now(), lead: null }));
  const { page, fetched, leave } = await arrive("dwell", { prepare: waits });
  await Promise.all([fetched(), page.clock.runFor(100)]);
  await leave();
});
