// The hosted page in a browser that runs no script: every step is a page, every form a plain one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { picture, sizes } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";

const { shingle, browser } = await setUp();
const widget = await shingle.widget();

let people = 0;
const person = () => ({ first: "Dana", last: "Whitfield", email: `dana.${++people}@example.com`, phone: `20755502${10 + people}` });

async function reader(size, options = {}) {
  const context = await browser.newContext({ ...sizes[size], locale: "en-US", javaScriptEnabled: false, ...options });
  const page = await context.newPage();
  return { page, picture: (name) => picture(page, `noscript-${size}-${name}`, { fullPage: true }), leave: () => context.close() };
}

const heading = (page, name) => page.getByRole("heading", { level: 1, name });

async function toContact(page) {
  await page.goto(widget.hostedPageLink);
  await page.getByLabel("Your home address").fill("14 Alder Court");
  await page.getByRole("button", { name: "Measure my roof" }).click();
  await heading(page, "Is this your roof?").waitFor();
  await page.getByRole("link", { name: "Yes, that’s my roof" }).click();
  await heading(page, "Who is the estimate for?").waitFor();
}

/** A form that is sent sooner than this after it was shown is taken for a robot's. */
const fastestPerson = 1_500;

async function fill(page, { first, last, email, phone }) {
  for (const [name, text] of [["First name", first], ["Last name", last], ["Email", email], [/^phone/i, phone]])
    await page.getByLabel(name).fill(text);
}

/** How far the page stands out sideways. */
const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const viewport of [sizes.phone.viewport, { width: 320, height: 640 }, { width: 768, height: 1024 }]) {
  test(`every building of a lot lies open beside the words on the drawing, ${viewport.width} px`, async () => {
    const { page, picture, leave } = await reader("phone", { viewport });
    await page.goto(widget.hostedPageLink);
    await page.getByLabel("Your home address").fill("1 Alder Court");
    await page.getByRole("button", { name: "Measure my roof" }).click();
    await heading(page, "Which buildings should we price?").waitFor();
    await picture(`buildings-${viewport.width}`);
    const { letters, notes, gap } = await page.evaluate(() => {
      const box = (el) => el.getBoundingClientRect().toJSON();
      const [lead, choices] = [".sh-lead", ".sh-choices"].map((of) => box(document.querySelector(of)));
      return {
        letters: [...document.querySelectorAll(".plan .t-badge, .plan .l-eave")].map(box),
        notes: [...document.querySelectorAll(".sh-tag, .sh-compass")].map(box),
        gap: choices.top - lead.bottom,
      };
    });
    assert.ok(letters.length >= 4 && notes.length >= 2, `${letters.length} ${notes.length}`);
    const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    assert.deepEqual(letters.filter((letter) => notes.some((note) => over(letter, note))), []);
    assert.ok(gap >= 12, `${gap} px between the sentence and the boxes`);
    await leave();
  });
}

for (const size of Object.keys(sizes)) {
  test(`a homeowner without scripts gets an estimate and the contractor the lead, ${size}`, async () => {
    const { page, picture, leave } = await reader(size);
    const dana = person();
    await page.goto(`${widget.hostedPageLink}?via=qr`);
    await heading(page, "See what a new roof would cost").waitFor();
    await picture("1-address");
    await page.getByLabel("Your home address").fill("14 Alder Court");
    await page.keyboard.press("Enter");
    await heading(page, "Is this your roof?").waitFor();
    await page.getByRole("img", { name: /plan of a roof.*north up/i }).waitFor();
    await picture("2-roof");
    await page.getByRole("link", { name: "Yes, that’s my roof" }).click();
    await heading(page, "Who is the estimate for?").waitFor();
    await fill(page, dana);
    await page.waitForTimeout(fastestPerson);
    await page.getByRole("checkbox").check();
    await picture("3-details");
    await page.getByRole("button", { name: "Submit and show my estimate" }).click();
    await heading(page, /your estimate for 14 Alder Court/i).waitFor();
    await picture("4-estimate");
    await page.getByRole("button", { name: /slate/i }).click();
    await page.getByText(/natural slate, installed/).waitFor();
    await page.reload();
    await page.getByText(/natural slate, installed/).waitFor();
    await page.getByRole("link", { name: "Book an inspection" }).click();
    await heading(page, "When could we come by?").waitFor();
    const wish = page.locator("[name=wish]").first();
    const wished = await wish.inputValue();
    await wish.check();
    await page.getByRole("button", { name: "Send these times" }).click();
    await heading(page, "Thank you, Dana").waitFor();
    await picture("5-thanks");

    const leads = (await shingle.leads()).filter((lead) => lead.email === dana.email);
    assert.equal(leads.length, 1, "one visitor is one lead");
    const [lead] = leads;
    assert.match(lead.address, /14 Alder Court/);
    assert.equal(lead.source.via, "qr");
    assert.equal(lead.roofMaterial, "slate");
    assert.deepEqual(lead.inspection.wishes.map(({ date, part }) => `${date} ${part}`), [wished]);
    assert.equal(lead.consent.given, true);
    assert.equal(lead.status, "new");
    assert.deepEqual(await page.context().cookies(), [], "no cookie");
    await leave();
  });

  test(`what is wrong is said beside what was typed, and can be mended, ${size}`, async () => {
    const { page, picture, leave } = await reader(size);
    await page.goto(widget.hostedPageLink);
    await page.getByRole("button", { name: "Measure my roof" }).click();
    await page.getByText("Type your address.", { exact: true }).waitFor();
    await page.getByLabel("Your home address").fill("99999 Nowhere Boulevard");
    await page.getByRole("button", { name: "Measure my roof" }).click();
    await heading(page, /couldn’t find that exact address/i).waitFor();
    await picture("error-not-found");
    await page.getByRole("link", { name: "Enter the address in parts" }).click();
    await page.getByLabel("Street").fill("Alder Court");
    await page.getByRole("button", { name: "Measure this roof" }).click();
    await page.getByText("Enter the city.").waitFor();
    assert.equal(await page.getByLabel("Street").inputValue(), "Alder Court");
    await picture("error-parts");
    await page.getByLabel("Number").fill("14");
    await page.getByLabel("City").fill("Harrow Falls");
    await page.getByLabel("State").fill("ME");
    await page.getByLabel("ZIP code").fill("04995");
    await page.getByRole("button", { name: "Measure this roof" }).click();
    await page.getByRole("link", { name: "Yes, that’s my roof" }).click();

    const dana = person();
    await fill(page, { ...dana, last: "", email: "dana@example" });
    await page.getByRole("button", { name: "Submit and show my estimate" }).click();
    await page.getByRole("alert").getByText("2 fields need a look.").waitFor();
    assert.equal(await page.getByLabel("First name").inputValue(), "Dana");
    assert.equal(await page.getByLabel("Email").inputValue(), "dana@example");
    await picture("error-details");
    await fill(page, dana);
    await page.getByRole("button", { name: "Submit and show my estimate" }).click();
    await heading(page, /your estimate for/i).waitFor();
    assert.equal((await shingle.leads()).filter((lead) => lead.email === dana.email).length, 1);
    await leave();
  });
}

test("a form that is sent twice is one lead, and what comes after going back names it", async () => {
  const { page, leave } = await reader("desktop");
  const dana = person();
  const ofDana = async () => (await shingle.leads()).filter((lead) => lead.email === dana.email);
  await toContact(page);
  await fill(page, dana);
  await page.waitForTimeout(fastestPerson);
  await page.getByRole("button", { name: "Submit and show my estimate" }).dblclick();
  await heading(page, /your estimate for/i).waitFor();
  const [first, ...none] = await ofDana();
  assert.equal(none.length, 0);
  await page.goBack();
  await fill(page, dana);
  await page.waitForTimeout(fastestPerson);
  await page.getByRole("button", { name: "Submit and show my estimate" }).click();
  await heading(page, /your estimate for/i).waitFor();
  // A browser that asks for the form again has a new one, and cannot show that it is the same.
  const later = (await ofDana()).filter((lead) => lead.id !== first.id);
  assert.ok(later.length <= 1);
  for (const lead of later) assert.deepEqual(lead.earlierLead, { id: first.id, same: "person" });
  await leave();
});

test("a form sent before the runtime has loaded works as a form", async () => {
  const context = await browser.newContext(sizes.phone);
  const page = await context.newPage();
  await page.route(/\/runtime\/|hosted\.js/, () => {});
  await page.goto(widget.hostedPageLink, { waitUntil: "commit" });
  await page.getByLabel("Your home address").fill("14 Alder Court");
  await page.getByRole("button", { name: "Measure my roof" }).click();
  await heading(page, "Is this your roof?").waitFor();
  await page.getByRole("link", { name: "Yes, that’s my roof" }).click();
  await heading(page, "Who is the estimate for?").waitFor();
  assert.equal(await wide(page), 0, "nothing stands out sideways");
  await context.close();
});

test("the page is in Spanish for Spanish readers", async () => {
  const { page, picture, leave } = await reader("phone", { locale: "es-MX" });
  await page.goto(widget.hostedPageLink);
  assert.equal(await page.locator("html").getAttribute("lang"), "es");
  await picture("spanish");
  await page.getByRole("textbox").fill("14 Alder Court");
  await page.keyboard.press("Enter");
  await heading(page, "¿Es este su techo?").waitFor();
  await page.getByRole("link", { name: "Sí, es mi techo" }).click();
  await heading(page, "¿Para quién es el presupuesto?").waitFor();
  await page.goto(widget.hostedPageLink);
  await page.getByRole("link", { name: "English" }).click();
  await heading(page, "See what a new roof would cost").waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "en");
  await leave();
});
