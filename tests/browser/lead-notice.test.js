// From the button on a contractor's site to the contractor: a webhook, a mail, and "I'm on it".

import assert from "node:assert/strict";
import { test } from "node:test";
import { violations } from "./harness/accessibility.js";
import { newVisitor, picture, sizes } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { mailServer } from "./harness/mail-server.js";
import { setUp } from "./harness/setup.js";
import { contractorSite } from "./harness/site.js";
import { isSigned, webhookReceiver } from "./harness/webhook-receiver.js";

const [mails, webhooks] = await Promise.all([mailServer(), webhookReceiver()]);
const { shingle, browser, closing } = await setUp({
  env: {
    SHINGLE_SMTP_URL: mails.url,
    SHINGLE_MAIL_FROM: "Shingle <leads@shingle.example>",
    // The receiver runs on this machine.
    SHINGLE_EGRESS_ALLOW: "127.0.0.0/8",
    SHINGLE_EGRESS_HTTP: "true",
  },
});
closing(mails);
closing(webhooks);
const widget = await shingle.widget();
const site = closing(await contractorSite(widget.widgetScript));
const events = ["lead.created", "lead.updated"];
/** A form that is sent sooner than this is taken for a robot's. */
const fastestPerson = 1_500;
const webhook = await shingle.api("POST", "/api/v1/webhooks", { name: "CRM", url: webhooks.url, events });
const leadPath = (id) => `/api/v1/leads/${id}`;

/** A homeowner goes through the flow; what the contractor gets of it. */
async function leave(name, number) {
  const email = `${name.toLowerCase()}@example.com`;
  const visitor = await newVisitor(browser, "phone");
  const flow = new Flow(visitor.page);
  await visitor.page.goto(site.url);
  await flow.open();
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.confirmRoof();
  await flow.fillDetails({ first: name, last: "Whitfield", email, phone: `207555030${number}`, consent: true });
  await visitor.page.waitForTimeout(fastestPerson);
  await flow.showEstimate.click();
  await flow.estimateShown();
  const price = await flow.price();
  await visitor.leave();
  const isOfLead = ({ event }) => event.type == "lead.created" && event.data.email == email;
  const [mail, posted] = await Promise.all([mails.next(({ replyTo }) => replyTo?.value[0].address == email), webhooks.next(isOfLead)]);
  return { email, price, mail, posted, lead: posted.event.data };
}

// The tests look at these two, whichever runs first.
let first;
const danas = () => (first ??= leave("Dana", 1));
const withScripts = { javaScriptEnabled: true };
const withoutScripts = { javaScriptEnabled: false };

/** The deliveries of a lead, once all of them have had an answer. */
async function deliveries(lead) {
  const { data } = await shingle.api("GET", `${leadPath(lead.id)}/deliveries`);
  return data.length && data.every(({ state }) => state != "pending") ? data : deliveries(lead);
}

/** The mail as a program shows it that shows pictures. */
function shown(mail) {
  const pictureOf = (cid) => mail.attachments.find((part) => part.cid == cid);
  return mail.html.replace(/cid:([^"]+)/g, (_, cid) => `data:image/png;base64,${pictureOf(cid).content.toString("base64")}`);
}

const onItLink = (mail) => mail.html.match(/href="([^"]*\/on-it\?[^"]*)"/)[1].replaceAll("&amp;", "&");
/** A mail is read inside the page of a mail program, which has the landmarks. */
const ofWholePages = ["landmark-one-main", "region"];
const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("a lead made in the browser reaches webhook and mailbox within a second", async () => {
  const { email, price, mail, posted, lead } = await danas();

  assert.ok(isSigned(posted, webhook.secret), "the webhook is ours");
  assert.ok(!isSigned({ ...posted, body: posted.body.replace("Dana", "Dora") }, webhook.secret), "as we wrote it");
  assert.equal(posted.headers["webhook-id"], posted.event.id);
  assert.deepEqual(lead, await shingle.api("GET", leadPath(lead.id)), "the record is that of the API");
  assert.equal(Math.round(lead.estimate.prices[0].cost), price, "with the price that was shown");

  assert.match(mail.subject, /^Test lead: Dana Whitfield, 14 Alder Court, \$[\d,]+$/);
  assert.ok(mail.subject.endsWith(`$${price.toLocaleString("en-US")}`), mail.subject);
  assert.deepEqual(mail.envelope.rcptTo.map(({ address }) => address), ["hello@quillback.example"], "the widget's companyEmail");
  assert.deepEqual(mail.to.value.map(({ address }) => address), ["hello@quillback.example"]);
  assert.deepEqual(mail.from.value, [{ name: "Shingle", address: "leads@shingle.example" }]);
  assert.deepEqual(mail.replyTo.value, [{ name: "Dana Whitfield", address: email }]);
  assert.equal(mail.headers.get("auto-submitted"), "auto-generated");
  for (const fact of ["Dana Whitfield", "14 Alder Court", email, "(207) 555-0301", `$${price.toLocaleString("en-US")}`]) {
    assert.ok(mail.text.includes(fact), `${fact} in the text: ${mail.text}`);
    assert.ok(mail.html.includes(fact), `${fact} in the HTML`);
  }
  assert.ok(mail.text.includes(onItLink(mail)), "the same link in both");
  const [drawing, ...others] = mail.attachments;
  assert.deepEqual([drawing.contentType, drawing.contentDisposition, others], ["image/png", "inline", []]);
  assert.ok(mail.html.includes(`src="cid:${drawing.cid}"`), "the drawing stands in the HTML");

  const log = await deliveries(lead);
  assert.deepEqual(log.map(({ state, event }) => [state, event]), Array(2).fill(["delivered", "lead.created"]));
  assert.ok(log.some(({ destinationId }) => destinationId == webhook.id), "one is the webhook's");
  // By the server's one clock.
  const waited = log.map(({ firstAttemptAt }) => Date.parse(firstAttemptAt) - Date.parse(lead.createdAt));
  console.log(`from the lead to the first attempts: ${waited.join(" and ")} ms`);
  assert.ok(waited.every((ms) => ms >= 0 && ms < 1_000), "both begin within a second");
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [600, 360]) {
    test(`the mail is readable ${width} pixels wide, ${colorScheme}`, async () => {
      const { mail } = await danas();
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      await page.setContent(shown(mail));
      assert.ok(await page.getByRole("img").evaluate((drawing) => drawing.decode().then(() => drawing.naturalWidth > 0)));
      await picture(page, `mail-${width}-${colorScheme}`, { fullPage: true });
      assert.deepEqual(await violations(page, { except: ofWholePages }), []);
      assert.equal(await wide(page), 0, "nothing stands out sideways");
      await context.close();
    });
  }
}

for (const size of Object.keys(sizes)) {
  test(`the page behind "I'm on it" is accessible and does nothing by itself, ${size}`, async () => {
    const { mail, lead } = await danas();
    const { page, leave, problems } = await newVisitor(browser, size);
    await page.goto(onItLink(mail));
    await page.getByRole("heading", { level: 1, name: "Are you on it?" }).waitFor();
    await page.getByText("Dana Whitfield, 14 Alder Court").waitFor();
    await picture(page, `on-it-${size}`);
    assert.deepEqual(await violations(page), []);
    assert.equal(await wide(page), 0, "nothing stands out sideways");
    await page.reload();
    assert.deepEqual(problems, []);
    assert.deepEqual(await shingle.api("GET", leadPath(lead.id)), lead, "looking changes nothing");
    await leave();
  });
}

for (const [name, number, scripts, size] of [["Ruth", 2, withScripts, "desktop"], ["Omar", 3, withoutScripts, "phone"]]) {
  const label = scripts.javaScriptEnabled ? "with scripts, by keyboard" : "without scripts, by finger";
  test(`one button takes the lead, ${label}`, async () => {
    const { mail, lead } = await leave(name, number);
    assert.deepEqual([lead.takenBy, lead.firstTouchAt], [null, null]);
    const { page, problems, leave: end } = await newVisitor(browser, { ...sizes[size], ...scripts });
    await page.goto(onItLink(mail));
    const button = page.getByRole("button", { name: "I’m on it" });
    if (scripts.javaScriptEnabled) {
      await page.keyboard.press("Tab");
      const [outline, focused] = await button.evaluate((el) => [getComputedStyle(el).outlineStyle, el.matches(":focus-visible")]);
      assert.ok(focused && outline != "none", "the focus is seen");
      await picture(page, `on-it-${size}-focused`);
      await page.keyboard.press("Enter");
    } else {
      await button.tap();
    }
    await page.getByRole("heading", { level: 1, name: "You are on it" }).waitFor();
    assert.equal(await button.count(), 0, "there is nothing left to do");
    await picture(page, `on-it-${size}-taken`);

    const taken = await shingle.api("GET", leadPath(lead.id));
    assert.equal(taken.takenBy, "hello@quillback.example");
    assert.ok(taken.firstTouchAt >= lead.createdAt, "the time to first touch is kept");
    const { event } = await webhooks.next(({ event }) => event.type == "lead.updated" && event.data.id == lead.id);
    assert.equal(event.data.takenBy, taken.takenBy, "the webhook is told");

    await page.goto(onItLink(mail));
    await page.getByRole("heading", { level: 1, name: "It is taken" }).waitFor();
    if (scripts.javaScriptEnabled) assert.deepEqual(await violations(page), []);
    assert.deepEqual(problems, []);
    await end();
  });
}

test("a link that somebody changed leads nowhere", async () => {
  const { mail, lead } = await danas();
  const { page, leave } = await newVisitor(browser, "phone");
  for (const changed of [onItLink(mail).replace(/&t=./, "&t="), onItLink(mail).replace(/lead=[^&]*/, `lead=${lead.widgetId}`)]) {
    assert.equal((await page.goto(changed)).status(), 404);
    assert.equal((await page.request.post(changed)).status(), 404);
  }
  assert.equal((await shingle.api("GET", leadPath(lead.id))).takenBy, null);
  await leave();
});
