// The core journey in Firefox: another engine for dialogs, shadow roots, modules and policies.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchFirefox, noFirefox as skip, visitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { Shingle } from "./harness/shingle.js";
import { contractorSite, plainSite } from "./harness/site.js";
import { pageOf } from "./fixtures/hosts.js";
import { complete, standIn } from "./fixtures/leads.js";

const pages = {};
let shingle, widget, site, demo, browser;

before(async () => {
  if (skip) return;
  [shingle, browser, site] = await Promise.all([Shingle.start(), launchFirefox(), plainSite(pages)]);
  widget = await shingle.widget();
  demo = await contractorSite(widget.widgetScript);
});

after(async () => {
  await browser?.close();
  await Promise.all([site?.stop(), demo?.stop(), shingle?.stop()]);
});

test("a homeowner gets an estimate on a contractor's site, in Firefox", { skip }, async () => {
  const guest = await visitor(browser, "desktop");
  const flow = new Flow(guest.page);
  await guest.page.goto(demo.url);
  await flow.launcher.waitFor();
  await guest.picture("firefox-0-launcher");
  await flow.open();
  await guest.picture("firefox-1-address");
  const lead = await complete(shingle, flow);
  await guest.picture("firefox-4-estimate");
  assert.equal(lead.source.via, "embed");
  assert.deepEqual(guest.problems, []);
  await guest.leave();
});

test("a homeowner gets an estimate on the hosted page, in Firefox", { skip }, async () => {
  const guest = await visitor(browser, "desktop");
  await guest.page.goto(widget.hostedPageLink);
  const lead = await complete(shingle, new Flow(guest.page));
  assert.equal(lead.source.via, "hosted");
  assert.deepEqual(guest.problems, []);
  // Last: to stop animations the driver adds a style that our policy refuses, and this console says so.
  await guest.picture("firefox-hosted-4-estimate");
  await guest.leave();
});

test("the hosted page stands in where a policy allows no WebAssembly, in Firefox", { skip }, async () => {
  const policy = `script-src ${new URL(shingle.url).origin}; style-src 'self'`;
  pages["/"] = { html: pageOf({ head: widget.widgetScript }), headers: { "content-security-policy": policy } };
  const guest = await visitor(browser, "desktop");
  await guest.page.goto(site.url);
  await new Flow(guest.page).launcher.click();
  await complete(shingle, standIn(guest.page));
  await guest.leave();
});

test("where a policy allows no frames either, the hosted page itself opens, in Firefox", { skip }, async () => {
  const policy = `script-src ${new URL(shingle.url).origin}; style-src 'self'; frame-src 'none'`;
  pages["/"] = { html: pageOf({ head: widget.widgetScript }), headers: { "content-security-policy": policy } };
  const guest = await visitor(browser, "desktop");
  await guest.page.goto(site.url);
  await new Flow(guest.page).launcher.click();
  await guest.page.waitForURL((url) => url.href.startsWith(shingle.url));
  await complete(shingle, new Flow(guest.page));
  await guest.leave();
});

test("the whole way can be gone by keyboard alone, in Firefox", { skip }, async () => {
  pages["/"] = { html: pageOf({ head: widget.widgetScript, body: `<a href="/elsewhere">A link of the page</a>` }) };
  const guest = await visitor(browser, "desktop");
  const { page } = guest;
  await page.goto(site.url);
  const flow = new Flow(page);
  await flow.launcher.waitFor();
  const { keyboard } = page;
  const has = (control) => control.evaluate((it) => it.getRootNode().activeElement === it);
  /** With the tabulator, as far as it takes. */
  const tabTo = async (control) => {
    for (let left = 40; left > 0 && !(await has(control)); left--) await keyboard.press("Tab");
    assert.ok(await has(control), `${control} can be reached`);
  };
  const typeInto = async (name, text) => {
    await tabTo(page.getByLabel(name));
    await keyboard.type(text);
  };

  await tabTo(flow.launcher);
  await keyboard.press("Enter");
  await flow.address.waitFor();
  await keyboard.press("Escape");
  await flow.address.waitFor({ state: "detached" });
  assert.ok(await has(flow.launcher), "closed, the focus is back where it came from");

  await keyboard.press("Enter");
  await flow.address.waitFor();
  await page.waitForFunction(() =>
    document.activeElement?.shadowRoot?.activeElement?.getAttribute("role") === "combobox");
  await keyboard.type("14 Alder Co");
  await flow.suggestion(/14 Alder Court/).waitFor();
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await flow.measure.or(flow.yes).first().waitFor();
  if (await flow.measure.isVisible()) {
    await tabTo(flow.measure);
    await keyboard.press("Enter");
  }
  await flow.yes.waitFor();
  await tabTo(flow.yes);
  await keyboard.press("Enter");
  await flow.heading(/where should we send it/i).waitFor();
  await typeInto("First name", "Dana");
  await typeInto("Last name", "Whitfield");
  await typeInto("Email", "dana.keyboard@example.com");
  await typeInto(/^phone/i, "2075550199");
  await tabTo(page.getByRole("checkbox"));
  await keyboard.press("Space");
  await tabTo(flow.showEstimate);
  await keyboard.press("Enter");
  await flow.estimateShown();
  const leads = (await shingle.leads()).filter((lead) => lead.email === "dana.keyboard@example.com");
  assert.equal(leads.length, 1);
  assert.equal(leads[0].consent.given, true);
  assert.deepEqual(guest.problems, []);
  await guest.leave();
});
