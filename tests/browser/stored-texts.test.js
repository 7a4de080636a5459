// What contractors and homeowners may store, on every page that shows it: no script of theirs runs, nothing stands out.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newVisitor, sizes } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { mailServer } from "./harness/mail-server.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";

const mails = await mailServer();
const { shingle, browser, closing } = await setUp({
  env: { SHINGLE_SMTP_URL: mails.url, SHINGLE_MAIL_FROM: "Shingle <leads@shingle.example>" },
});
closing(mails);

const tag = `<img src=x onerror="window.ran=1">`;
const hostile = `</script><svg onload="window.ran=1">${tag}'"\${1}{{1}} 👩‍👩‍👧‍👦 ${"W".repeat(40)}`;
const widget = await shingle.widget({
  companyName: hostile, firstPageTitle: hostile, buttonText: hostile, footerCompanyName: hostile, companyAddress: hostile,
});
const site = closing(await minimalSite(widget.widgetScript));
/** A form that is sent sooner than this is taken for a robot's. */
const fastestPerson = 1_500;

/** Nothing ran, nothing became an element, nothing stands out sideways. */
async function harmless(page, where) {
  const found = await page.evaluate(() => {
    const roots = [document, ...[...document.querySelectorAll("*")].flatMap((el) => el.shadowRoot ?? [])];
    return {
      ran: window.ran ?? 0,
      made: roots.flatMap((root) => [...root.querySelectorAll("[onerror], [onload], img[src=x]")]).length,
      wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  });
  assert.deepEqual(found, { ran: 0, made: 0, wide: 0 }, where);
}

for (const size of Object.keys(sizes)) {
  test(`hostile texts stay texts in the flow and behind every link, ${size}`, async () => {
    for (const [place, url] of [["the site", site.url], ["the hosted page", widget.hostedPageLink]]) {
      const { page, leave } = await newVisitor(browser, size);
      const flow = new Flow(page);
      const at = (step) => harmless(page, `${place}, ${step}`);
      await page.goto(url);
      if (url === site.url) {
        await page.locator(".sl").waitFor();
        await at("launcher");
        await page.locator(".sl").click();
      }
      await flow.address.waitFor();
      await at("address");
      await flow.pick("14 Alder Co", /14 Alder Court/);
      await flow.yes.waitFor();
      await at("roof");
      await flow.confirmRoof();
      await flow.fillDetails({ first: tag, last: "W".repeat(100), email: `dana.${size}@example.com` });
      await at("details");
      await page.waitForTimeout(fastestPerson);
      await flow.showEstimate.click();
      await flow.estimateShown();
      await at("estimate");
      const sheet = await page.getByRole("link", { name: "Save or print" }).getAttribute("href");
      await page.getByRole("button", { name: "Book an inspection" }).click();
      await at("booking");
      await page.getByRole("button", { name: "Skip, no visit for now" }).click();
      await page.getByRole("heading", { name: /thank you/i }).waitFor();
      await at("thanks");
      for (const link of [sheet, sheet.replace(/\/print$/, "")]) {
        await page.goto(new URL(link, shingle.url).href);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await at(link.endsWith("print") ? "the sheet of paper" : "the page of the estimate");
      }
      const mail = await mails.next(({ text, html }) => html?.includes("on-it"));
      assert.ok(!mail.html.includes(tag), "the mail");
      await page.goto(mail.html.match(/href="([^"]*\/on-it[^"]*)"/)[1].replaceAll("&amp;", "&"));
      await page.getByRole("heading", { level: 1, name: "Are you on it?" }).waitFor();
      await at("the page behind \"I'm on it\"");
      await page.goto(`${widget.hostedPageLink}/check?url=${encodeURIComponent(`https://x.example/${tag}`)}`);
      await at("the check of a site");
      await leave();
    }
  });

  test(`hostile texts stay texts on the pages for browsers without scripts, ${size}`, async () => {
    const reader = await browser.newContext({ ...sizes[size], locale: "en-US", javaScriptEnabled: false });
    const page = await reader.newPage();
    const urls = [];
    const next = async (name) => {
      await page.getByRole("heading", { level: 1, name }).waitFor();
      urls.push(page.url());
    };
    await page.goto(`${widget.hostedPageLink}?lang=es`);
    urls.push(page.url());
    await page.goto(widget.hostedPageLink);
    await page.getByLabel("Your home address").fill("14 Alder Court");
    await page.getByRole("button", { name: "Measure my roof" }).click();
    await next("Is this your roof?");
    await page.getByRole("link", { name: "Yes, that’s my roof" }).click();
    await next("Who is the estimate for?");
    for (const [label, text] of [["First name", tag], ["Last name", "W".repeat(100)], ["Email", `sam.${size}@example.com`]])
      await page.getByLabel(label).fill(text);
    await page.waitForTimeout(fastestPerson);
    await page.getByRole("button", { name: "Submit and show my estimate" }).click();
    await next(/your estimate for 14 Alder Court/i);
    await page.getByRole("link", { name: "Book an inspection" }).click();
    await next("When could we come by?");
    await page.locator("[name=wish]").first().check();
    await page.getByRole("button", { name: "Send these times" }).click();
    await next(/^Thank you/);
    await page.goto(`${widget.hostedPageLink}/measure?address=${encodeURIComponent(hostile)}`);
    urls.push(page.url());
    await reader.close();

    // The same pages where scripts run.
    const visitor = await newVisitor(browser, size);
    for (const url of urls) {
      await visitor.page.goto(url);
      await harmless(visitor.page, url);
    }
    assert.equal(urls.length, 7);
    await visitor.leave();
  });
}
