// The link to an estimate: mailed when asked for, and offered nowhere once it was switched off.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newVisitor, sizes } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { mailServer } from "./harness/mail-server.js";
import { setUp } from "./harness/setup.js";

const mails = await mailServer();
const { shingle, browser, closing } = await setUp({
  env: { SHINGLE_SMTP_URL: mails.url, SHINGLE_MAIL_FROM: "Shingle <leads@shingle.example>" },
});
closing(mails);
const widget = await shingle.widget();
await shingle.api("PUT", "/api/v1/notices", { recipients: [], homeownerCopy: true });
/** A form that is sent sooner than this is taken for a robot's. */
const fastestPerson = 1_500;

/** At the estimate of a home, without consent to be contacted: so no copy is mailed on its own. */
async function atEstimate(size, email) {
  const visitor = await newVisitor(browser, size);
  const flow = new Flow(visitor.page);
  await visitor.page.goto(widget.hostedPageLink);
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.confirmRoof();
  await flow.fillDetails({ first: "Dana", last: "Whitfield", email });
  await visitor.page.waitForTimeout(fastestPerson);
  await flow.showEstimate.click();
  await flow.estimateShown();
  return visitor;
}

for (const size of Object.keys(sizes)) {
  test(`the link is mailed once a day on request, ${size}`, async () => {
    const email = `ask.${size}@example.com`;
    const { page, problems, leave } = await atEstimate(size, email);
    await page.getByRole("button", { name: `Email it to ${email}` }).click();
    await page.getByText("The email is on its way.").waitFor();
    const mail = await mails.next(({ to }) => to?.value[0].address == email);
    const link = mail.html.match(/href="([^"]*\/e\/[0-9a-f]+[^"]*)"/)[1].replaceAll("&amp;", "&");
    const other = await browser.newPage();
    await other.goto(link);
    await other.getByRole("heading", { level: 1, name: /14 Alder Court/ }).waitFor();
    await other.close();
    assert.deepEqual(problems, []);
    await page.getByRole("button", { name: `Email it to ${email}` }).click();
    await page.getByText("Not sent. One email a day goes to an address").waitFor();
    await leave();
  });

  test(`a link that was switched off is offered nowhere any more, ${size}`, async () => {
    const { page, problems, leave } = await atEstimate(size, `off.${size}@example.com`);
    const print = page.getByRole("link", { name: "Save or print" });
    const link = (await print.getAttribute("href")).replace(/\/print$/, "");
    assert.equal((await page.request.get(link)).status(), 200);
    await page.getByRole("button", { name: "Make the link stop working" }).click();
    const ended = page.locator(".sh-ended");
    await ended.waitFor();
    assert.equal(await ended.evaluate((it) => it.getRootNode().activeElement == it), true, "it is read out");
    assert.equal((await page.request.get(link)).status(), 404);
    const nothing = async (where) => {
      for (const offer of [print, page.getByRole("button", { name: "Copy" }), page.getByRole("button", { name: /^Email it/ })])
        assert.equal(await offer.count(), 0, `${where}: ${offer}`);
    };
    await nothing("estimate");
    await page.getByRole("button", { name: "Book an inspection" }).click();
    await page.getByRole("button", { name: "Skip, no visit for now" }).click();
    await page.getByRole("heading", { name: /thank you/i }).waitFor();
    await nothing("thanks");
    await ended.waitFor();
    assert.deepEqual(problems, []);
    await leave();
  });
}
