// Where the widget must not work, it says so and leads to a person.

import assert from "node:assert/strict";
import { test } from "node:test";
import { visitor, sizes } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { contractorSite } from "./harness/site.js";

const { shingle, browser } = await setUp();

for (const size of Object.keys(sizes)) {
  test(`an inactive widget shows nothing on the site and says why in the console, ${size}`, async () => {
    const widget = await shingle.widget({ status: "inactive" });
    const site = await contractorSite(widget.widgetScript);
    const guest = await visitor(browser, size);
    const why = guest.page.waitForEvent("console", (message) => /inactive|not active/i.test(message.text()));
    await guest.page.goto(site.url);
    await why;
    assert.equal(await new Flow(guest.page).launcher.count(), 0);
    assert.deepEqual(guest.problems, []);
    await guest.leave();
    await site.stop();
  });

  test(`the hosted page of an inactive widget gives the company's telephone number, ${size}`, async () => {
    const widget = await shingle.widget({ status: "inactive" });
    const guest = await visitor(browser, size);
    await guest.page.goto(widget.hostedPageLink);
    const call = guest.page.getByRole("link", { name: /\(207\) 555-0143/ }).first();
    await call.waitFor();
    assert.equal(await call.getAttribute("href"), "tel:+12075550143");
    await guest.page.getByText(/paused|not available/i).first().waitFor();
    await guest.picture(`${size}-hosted-inactive`);
    assert.equal(await new Flow(guest.page).address.count(), 0);
    await guest.leave();
  });

  test(`on a domain that is not allowed nobody can ask for an estimate, ${size}`, async () => {
    const widget = await shingle.widget({ domains: "quillback.example" });
    const site = await contractorSite(widget.widgetScript);
    const guest = await visitor(browser, size);
    const flow = new Flow(guest.page);
    const why = guest.page.waitForEvent("console", (message) => /domain|allowed/i.test(message.text()));
    await guest.page.goto(site.url);
    await Promise.race([why, flow.launcher.waitFor()]);
    if (await flow.launcher.count()) {
      await flow.launcher.click();
      await guest.page.getByText(/paused|not available/i).first().waitFor();
      await guest.page.getByRole("link", { name: /\(207\) 555-0143/ }).first().waitFor();
    }
    await guest.picture(`${size}-barred-domain`);
    assert.equal(await flow.address.count(), 0);
    assert.equal((await shingle.leads()).length, 0);
    await guest.leave();
    await site.stop();
  });
}
