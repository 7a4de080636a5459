// Where the widget must not work, it says so and leads to a person.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newVisitor, sizes } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { contractorSite } from "./harness/site.js";

const { shingle, browser } = await setUp();

for (const size of Object.keys(sizes)) {
  test(`an inactive widget shows nothing on the site and says why in the console, ${size}`, async () => {
    const widget = await shingle.widget({ status: "inactive" });
    const site = await contractorSite(widget.widgetScript);
    const visitor = await newVisitor(browser, size);
    const why = visitor.page.waitForEvent("console", (message) => /inactive|not active/i.test(message.text()));
    await visitor.page.goto(site.url);
    await why;
    assert.equal(await new Flow(visitor.page).launcher.count(), 0);
    assert.deepEqual(visitor.problems, []);
    await visitor.leave();
    await site.stop();
  });

  test(`the hosted page of an inactive widget gives the company's telephone number, ${size}`, async () => {
    const widget = await shingle.widget({ status: "inactive" });
    const visitor = await newVisitor(browser, size);
    await visitor.page.goto(widget.hostedPageLink);
    const call = visitor.page.getByRole("link", { name: /\(207\) 555-0143/ }).first();
    await call.waitFor();
    assert.equal(await call.getAttribute("href"), "tel:+12075550143");
    await visitor.page.getByText(/paused|not available/i).first().waitFor();
    await visitor.picture(`${size}-hosted-inactive`);
    assert.equal(await new Flow(visitor.page).address.count(), 0);
    await visitor.leave();
  });

  test(`on a domain that is not allowed nobody can ask for an estimate, ${size}`, async () => {
    const widget = await shingle.widget({ domains: "quillback.example" });
    const site = await contractorSite(widget.widgetScript);
    const visitor = await newVisitor(browser, size);
    const flow = new Flow(visitor.page);
    const why = visitor.page.waitForEvent("console", (message) => /domain|allowed/i.test(message.text()));
    await visitor.page.goto(site.url);
    await Promise.race([why, flow.launcher.waitFor()]);
    if (await flow.launcher.count()) {
      await flow.launcher.click();
      await visitor.page.getByText(/paused|not available/i).first().waitFor();
      await visitor.page.getByRole("link", { name: /\(207\) 555-0143/ }).first().waitFor();
    }
    await visitor.picture(`${size}-barred-domain`);
    assert.equal(await flow.address.count(), 0);
    assert.equal((await shingle.leads()).length, 0);
    await visitor.leave();
    await site.stop();
  });
}
