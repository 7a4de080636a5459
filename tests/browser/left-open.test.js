// A tab that is left open for longer than a session lasts: its visitor goes on as if nothing had happened.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";

const { shingle, browser, closing } = await setUp();
const widget = await shingle.widget();
const site = closing(await minimalSite(widget.widgetScript));

/** Sessions of a page: when they are over, the server is asked with tokens that it does not take any more. */
async function sessionsOf(page) {
  const given = new Set();
  const over = new Set();
  const refused = [];
  await page.route(/\/w\/[^/]+\/(session|suggest|roof|leads)$/, async (route) => {
    const request = route.request();
    const [, what] = request.url().match(/(\w+)$/);
    if (request.method() != "POST") return route.continue();
    if (what == "session") {
      const response = await route.fetch();
      given.add((await response.json()).token);
      return route.fulfill({ response });
    }
    const body = JSON.parse(request.postData());
    if (!over.has(body.token)) return route.continue();
    const response = await route.fetch({ postData: JSON.stringify({ ...body, token: [...body.token].reverse().join("") }) });
    refused.push(`${what} ${response.status()}`);
    return route.fulfill({ response });
  });
  return { given, refused, end: () => given.forEach((token) => over.add(token)) };
}

/** Whatever is said to be wrong on a page, at any time. */
async function complaintsOf(page) {
  const found = [];
  await page.exposeFunction("complain", (text) => found.push(text));
  await page.addInitScript(() => {
    const look = (root) => {
      for (const el of root.querySelectorAll("[role=alert], .sh-note.bad, [aria-invalid=true]")) {
        const text = el.textContent.trim() || (el.ariaInvalid ? el.id : "");
        if (text && el.checkVisibility()) window.complain(text);
      }
    };
    const watch = (root) => new MutationObserver(() => look(root)).observe(root, { childList: true, subtree: true, attributes: true });
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (...of) {
      const root = attach.apply(this, of);
      watch(root);
      return root;
    };
    document.addEventListener("DOMContentLoaded", () => watch(document));
  });
  return found;
}

for (const hosted of [false, true]) {
  test(`a session that ends before every step costs the visitor nothing, ${hosted ? "as a page" : "over a page"}`, async () => {
    const { page, leave } = await newVisitor(browser, "desktop");
    const sessions = await sessionsOf(page);
    const complaints = await complaintsOf(page);
    const flow = new Flow(page);
    await page.goto(hosted ? widget.hostedPageLink : site.url);
    if (!hosted) await flow.open();
    await flow.type("21 Birch");
    await flow.suggestion(/21 Birch Avenue/).waitFor();
    sessions.end();
    await flow.address.fill("");
    await flow.address.pressSequentially("14 Alder");
    await flow.suggestion(/14 Alder Court/).click();
    sessions.end();
    await flow.measureIfAsked();
    await flow.confirmRoof();
    const email = `dana.${hosted ? "hosted" : "over"}@example.com`;
    await flow.fillDetails({ first: "Dana", last: "Whitfield", email, phone: "2075550163", consent: true });
    sessions.end();
    await flow.showEstimate.click();
    await flow.estimateShown();
    assert.match(await flow.heading(/your estimate for/i).or(page.getByText(/your estimate for/i)).first().innerText(), /14 Alder Court/);
    // Each was refused once, and asked again with a new session.
    assert.deepEqual([...new Set(sessions.refused)].sort(), ["leads 401", "roof 401", "suggest 401"]);
    assert.equal(sessions.refused.filter((line) => !line.startsWith("suggest")).length, 2);
    assert.ok(sessions.given.size >= 4, `${sessions.given.size} sessions`);
    assert.deepEqual(complaints, [], "nobody saw an error that was not theirs");
    const leads = (await shingle.leads()).filter((lead) => lead.email == email);
    assert.equal(leads.length, 1, "the contractor has the lead, once");
    assert.deepEqual([leads[0].firstName, leads[0].lastName, leads[0].consent.given], ["Dana", "Whitfield", true]);
    await leave();
  });
}
