// The ids of the ads that brought a visitor, as conversions need them: from the address of the page, and from what
// Google and Meta have set on the contractor's site.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { contractorSite } from "./harness/site.js";

const { shingle, browser, closing } = await setUp();
const widget = await shingle.widget();
const site = closing(await contractorSite(widget.widgetScript));

const query = "?gclid=Cj0-a_1&utm_source=ads&page=2&fbclid=IwAR=1";
const cookies = {
  _ga: "GA1.1.1234567890.1700000000",
  _ga_AB12CD: "GS1.1.1700000001.3.1",
  _fbp: "fb.1.1700000002.987",
  _gat: "1",
  my_ga: "1",
  session: "secret",
};
const ofAds = "_ga=GA1.1.1234567890.1700000000&_ga_AB12CD=GS1.1.1700000001.3.1&_fbp=fb.1.1700000002.987";

/** A visitor with these cookies whose page counts how often they are read. */
async function visitor() {
  const one = await newVisitor(browser, "desktop");
  await one.page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: site.url })));
  await one.page.addInitScript(() => {
    const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
    window.reads = 0;
    Object.defineProperty(Document.prototype, "cookie", {
      get() {
        window.reads++;
        if (window.refuse) throw new DOMException("The document is sandboxed.", "SecurityError");
        return get.call(this);
      },
      set,
    });
  });
  return Object.assign(one, { flow: new Flow(one.page), reads: () => one.page.evaluate(() => window.reads) });
}

let people = 0;

/** Up to the button that sends the lead; whose it is. */
async function fill(flow) {
  const email = `dana.${++people}@example.com`;
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.confirmRoof();
  await flow.fillDetails({ first: "Dana", last: "Whitfield", email, phone: `20755504${10 + people}`, consent: true });
  return email;
}

async function sourceOf(email) {
  const found = (await shingle.leads()).filter((lead) => lead.email == email);
  assert.equal(found.length, 1, "one visitor is one lead");
  return found[0].source;
}

test("a lead holds the click ids of the page and of the ads' own cookies, read when it is sent", async () => {
  const { page, flow, reads, leave } = await visitor();
  await page.goto(site.url + query);
  await flow.open();
  const email = await fill(flow);
  assert.equal(await reads(), 0, "nothing is read before");
  let failed = false;
  await page.route(/\/leads$/, (route) => (failed ? route.continue() : ((failed = true), route.abort())));
  await flow.showEstimate.click();
  await flow.tryNow.waitFor();
  // A lead that is tried again is the same lead, whatever has happened on the page.
  await page.context().clearCookies();
  await flow.tryNow.click();
  await flow.estimateShown();
  const source = await sourceOf(email);
  assert.equal(source.clickId, `gclid=Cj0-a_1&fbclid=IwAR=1&${ofAds}`);
  assert.equal(source.utmSource, "ads");
  assert.equal(await reads(), 1, "once");
  assert.deepEqual(await page.context().cookies(), [], "none is set");
  await leave();
});

test("on a page whose cookies cannot be read, the lead arrives without them", async () => {
  const { page, flow, leave } = await visitor();
  await page.goto(site.url + query);
  await flow.open();
  const email = await fill(flow);
  await page.evaluate(() => (window.refuse = true));
  await flow.showEstimate.click();
  await flow.estimateShown();
  assert.equal((await sourceOf(email)).clickId, "gclid=Cj0-a_1&fbclid=IwAR=1");
  await leave();
});

test("the hosted page reads no cookies", async () => {
  const { page, flow, reads, leave } = await visitor();
  await page.goto(`${widget.hostedPageLink}?wbraid=w1&gclid=${encodeURIComponent("a&_ga=b")}`);
  await flow.address.waitFor();
  const email = await fill(flow);
  await flow.showEstimate.click();
  await flow.estimateShown();
  assert.equal((await sourceOf(email)).clickId, "wbraid=w1", "and takes no value for two");
  assert.equal(await reads(), 0);
  await leave();
});
