// From the button to the lead: on a contractor's site and on the hosted page, on a phone and a desktop.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { moving, newVisitor, sizes } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { contractorSite } from "./harness/site.js";

/** A new person each time: the same phone at the same address would be the same lead. */
let people = 0;
const person = (name) => ({ first: "Dana", last: "Whitfield", email: `dana.${name}@example.com`, phone: `20755501${10 + people++}` });
const home = { typed: "14 Alder Co", name: /14 Alder Court/ };

const { shingle, browser, closing } = await setUp();
const widget = await shingle.widget();
const site = closing(await contractorSite(widget.widgetScript));

/** Leads of one visitor: journeys share the account, not the e-mail address. */
const leadsOf = async (email) => (await shingle.leads()).filter((lead) => lead.email === email);

/** Opens the flow where it is: behind the button, or on a page of its own. */
async function enter(place, visitor) {
  const flow = new Flow(visitor.page);
  await visitor.page.goto(place === "hosted page" ? widget.hostedPageLink : site.url);
  if (place === "demo site") {
    await flow.launcher.waitFor();
    await visitor.picture(`${visitor.size}-demo-0-launcher`);
    await flow.open();
  } else {
    await flow.address.waitFor();
  }
  // A flow that the page does not hold on to would vanish here.
  await visitor.collectGarbage();
  return flow;
}

for (const size of Object.keys(sizes)) {
  for (const place of ["demo site", "hosted page"]) {
    const label = `${size}-${place === "demo site" ? "demo" : "hosted"}`;

    describe(`${place}, ${size}`, () => {
      test("a homeowner gets an estimate and the contractor gets the lead", async () => {
        const visitor = Object.assign(await newVisitor(browser, { ...sizes[size], ...moving }), { size });
        const flow = await enter(place, visitor);
        const dana = person(label);
        const { email } = dana;
        await visitor.picture(`${label}-1-address`);
        await flow.type(home.typed);
        await flow.suggestion(home.name).waitFor();
        await visitor.picture(`${label}-1-suggestions`);
        await flow.suggestion(home.name).click();
        await flow.measureIfAsked();

        await flow.yes.waitFor();
        await visitor.page.getByRole("img", { name: /north/i }).first().waitFor();
        await visitor.picture(`${label}-2-roof`);
        await flow.confirmRoof();
        await flow.fillDetails({ ...dana, consent: true });
        await visitor.picture(`${label}-3-details`);
        await flow.showEstimate.click();

        await flow.estimateShown();
        const asphalt = await flow.price();
        await visitor.picture(`${label}-4-estimate`);
        const slate = flow.materials.getByRole("radio", { name: /slate/i });
        await slate.check();
        await visitor.page.getByText(/natural slate, installed/).waitFor();
        assert.ok((await flow.price()) > asphalt, "slate costs more than asphalt");

        await visitor.page.getByRole("button", { name: "Book an inspection" }).click();
        await flow.heading("When could we come by?").waitFor();
        const wish = visitor.page.locator("[name=wish]").first();
        const wished = await wish.inputValue();
        await wish.check();
        await visitor.page.getByRole("button", { name: "Send these times" }).click();
        await flow.heading(/thank you, dana/i).waitFor();
        await visitor.picture(`${label}-5-thanks`);

        const leads = await leadsOf(email);
        assert.equal(leads.length, 1, "one visitor is one lead");
        const [lead] = leads;
        assert.match(lead.address, /14 Alder Court/i);
        assert.equal(lead.phone.replace(/\D/g, ""), dana.phone);
        assert.equal(lead.consent.given, true);
        assert.match(lead.consent.text, /Quillback Roofing may call or text me/);
        assert.equal(lead.source.via, place === "demo site" ? "embed" : "hosted");
        assert.equal(lead.roofMaterial, "slate");
        assert.deepEqual(lead.inspection.wishes.map(({ date, part }) => `${date} ${part}`), [wished], "the visit that was asked for");
        assert.equal(lead.inspection.state, "asked");
        const shown = lead.estimate.prices.find((price) => price.material === "asphalt shingle");
        assert.equal(Math.round(shown.cost), asphalt, "the lead holds the price that was shown");
        assert.deepEqual(visitor.problems, []);
        const allowed = new Set([new URL(shingle.url).origin, new URL(site.url).origin]);
        assert.deepEqual([...visitor.origins].filter((origin) => !allowed.has(origin) && origin !== "null"), [], "no third party");
        assert.deepEqual(await visitor.page.context().cookies(), [], "no cookie");
        await visitor.leave();
      });

      test("an unknown address says so, and the homeowner can try another", async () => {
        const visitor = Object.assign(await newVisitor(browser, { ...sizes[size], ...moving }), { size });
        const flow = await enter(place, visitor);
        await flow.type("99999 Nowhere Boulevard");
        await flow.suggestion(/address in parts/i).click();
        await flow.fillParts({ number: "99999", street: "Nowhere Boulevard", city: "Atlantis", state: "ZZ", zip: "00000" });
        await visitor.page.getByRole("button", { name: "Measure this roof" }).click();
        await flow.heading(/couldn’t find that exact address/i).waitFor();
        await visitor.picture(`${label}-error-not-found`);
        await visitor.page.getByRole("button", { name: "Edit the address" }).click();
        await flow.backToSearch();
        await flow.pick(home.typed, home.name);
        await flow.yes.waitFor();
        assert.deepEqual(visitor.problems, []);
        await visitor.leave();
      });
    });
  }

  test(`a lead sent while the server is down arrives once, ${size}`, async () => {
    const visitor = Object.assign(await newVisitor(browser, { ...sizes[size], ...moving }), { size });
    const dana = person(`offline-${size}`);
    const { email } = dana;
    const flow = await enter("demo site", visitor);
    await flow.pick(home.typed, home.name);
    await flow.confirmRoof();
    await flow.fillDetails({ ...dana, consent: false });
    await shingle.kill();
    try {
      await flow.showEstimate.click();
      await flow.tryNow.waitFor();
      await visitor.picture(`${size}-error-server-down`);
    } finally {
      await shingle.serve();
    }
    await flow.tryNow.or(flow.materials).first().waitFor();
    if (await flow.tryNow.isVisible()) await flow.tryNow.click();
    await flow.estimateShown();
    const leads = await leadsOf(email);
    assert.equal(leads.length, 1, "the lead arrived exactly once");
    assert.equal(leads[0].consent.given, false);
    await visitor.leave();
  });
}
