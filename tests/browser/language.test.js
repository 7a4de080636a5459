// A visitor who would rather read the other language chooses it, and loses nothing by it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sizes, newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { mockResponses, realResponses, MockApi } from "./harness/mock-api.js";
import { setUp } from "./harness/setup.js";
import { contractorSite } from "./harness/site.js";
import { screens, Walkthrough } from "./harness/walkthrough.js";

const { shingle, browser, closing } = await setUp();
const widget = await shingle.widget();
const site = closing(await contractorSite(widget.widgetScript));

const leadOf = async (email) => (await shingle.leads()).find((lead) => lead.email === email);

/** A visitor who is led through every screen of the flow on the contractor's site. */
async function walker(size) {
  const responses = mockResponses(await realResponses(shingle, widget));
  const visitor = await newVisitor(browser, { ...size });
  const { page } = visitor;
  await page.addInitScript(() => [localStorage, sessionStorage].forEach((kept) => kept.clear()));
  const api = await MockApi.on(page);
  const enter = async () => {
    await page.goto(site.url);
    await page.locator(".sl").click();
    await page.locator("[data-screen=address] #sh-address").waitFor();
  };
  return { visitor, page, walk: new Walkthrough(page, api, responses, enter) };
}

test("in the dialog the language changes in place, and stays for the next opening", async () => {
  const visitor = await newVisitor(browser, "phone");
  const { page } = visitor;
  const flow = new Flow(page);
  await page.goto(site.url);
  await page.evaluate(() => shingle.prefill({ firstName: "Dan" }));
  await flow.open();
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.confirmRoof();
  await page.getByLabel("First name").fill("Dana");
  await visitor.picture("phone-language-1-english");
  await page.getByRole("link", { name: "Español" }).click();
  await page.getByRole("heading", { name: "¿Para quién es el presupuesto?" }).waitFor();
  assert.equal(await page.locator("dialog .sh").count(), 1, "one flow is there");
  assert.equal(await page.locator("dialog .sh").getAttribute("lang"), "es");
  assert.equal(await page.getByLabel("Nombre").inputValue(), "Dana", "typed after the page's own suggestion");
  await visitor.picture("phone-language-2-spanish");
  const email = "dana.chooses@example.com";
  await page.getByLabel("Apellido").fill("Whitfield");
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Enviar y ver mi presupuesto" }).click();
  await page.getByRole("group", { name: "Material del techo" }).waitFor();
  const lead = await leadOf(email);
  assert.match(lead.consent.text, /^Acepto que Quillback Roofing/, "consent is kept as it was read");
  await page.getByRole("button", { name: "Cerrar" }).click();
  await page.locator("dialog").waitFor({ state: "detached" });

  await flow.launcher.click();
  await page.locator("dialog .sh[lang=es]").waitFor();
  await page.getByRole("link", { name: "English" }).click();
  await page.locator("dialog .sh[lang=en]").waitFor();
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});

test("wherever the visitor is, the language changes and nothing else does", async () => {
  const { visitor, page, walk } = await walker(sizes.desktop);
  const seen = () =>
    page.evaluate(() => {
      const root = document.querySelector("shingle-launcher").shadowRoot;
      const fields = [...root.querySelectorAll(".sh-input, .sh-radio")];
      return [root.querySelector(".sh-body").dataset.screen, ...fields.map((field) => field.type == "radio" ? field.checked : field.value)];
    });
  const turned = new Set();
  walk.visit = async (state) => {
    // The question lies over everything.
    if (state == "details, closing") return;
    const before = await seen();
    const link = page.locator(".sh-foot [hreflang]");
    const other = await link.getAttribute("hreflang");
    const redrawn = state.startsWith("booking") && page.waitForResponse(/\/estimate$/);
    await link.click();
    await redrawn;
    await page.locator(`.sh[lang=${other}]`).waitFor();
    assert.deepEqual(await seen(), before, `${state}, in ${other}`);
    assert.equal(await page.locator("dialog .sh").count(), 1, state);
    turned.add(state.split(",")[0]);
  };
  await walk.everyState();
  assert.deepEqual([...turned].sort(), screens().sort());
  assert.deepEqual(visitor.problems.filter((problem) => !/ERR_CONNECTION_FAILED|status of 4/.test(problem)), []);
  await visitor.leave();
});

test("picked times, a note and a photograph on its way stay when the language changes and after a step back", async () => {
  const visitor = await newVisitor(browser, "phone");
  const { page } = visitor;
  const flow = new Flow(page);
  await page.goto(site.url);
  await flow.open();
  await page.getByRole("heading", { name: "See what a new roof would cost" }).waitFor();
  await page.getByRole("link", { name: "Español" }).click();
  await page.getByRole("heading", { name: "Vea cuánto costaría un techo nuevo" }).waitFor();
  await page.getByRole("link", { name: "English" }).click();
  await page.getByRole("heading", { name: "See what a new roof would cost" }).waitFor();
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.confirmRoof();
  for (const [name, text] of [["First name", "Dana"], ["Last name", "Whitfield"], ["Email", "dana.picks@example.com"], [/^phone/i, "2075550142"]])
    await page.getByLabel(name).fill(text);
  await page.getByRole("button", { name: "Submit and show my estimate" }).click();
  await page.getByRole("button", { name: "Book an inspection" }).click();
  const boxes = page.locator("[name=wish]");
  await boxes.nth(4).check();
  await boxes.nth(1).check();
  await page.locator("[name=contactBy][value=text]").check({ force: true });
  await page.locator(".sh-booking textarea").fill("Mind the dog.");
  const picked = () =>
    page.evaluate(() => {
      const form = document.querySelector("shingle-launcher").shadowRoot.querySelector(".sh-booking");
      const ticked = [...form.querySelectorAll("[name=wish]:checked")].map((one) => [one.value, one.nextElementSibling.textContent]);
      return [ticked, form.querySelector("[name=contactBy]:checked").value, form.querySelector("textarea").value];
    });
  const before = await picked();
  assert.deepEqual(before[0].map(([, order]) => order), ["2nd", "1st"]);
  await page.locator("#sh-photos").setInputFiles({ name: "roof.heic", mimeType: "image/heic", buffer: Buffer.from("no picture") });
  await page.locator(".photos li", { hasText: "roof.heic: not accepted" }).getByRole("button", { name: "Remove" }).click();
  let arrive;
  const held = new Promise((resolve) => (arrive = resolve));
  await page.route(/\/photos$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.locator("#sh-photos").setInputFiles({ name: "roof.png", mimeType: "image/png", buffer: await page.screenshot() });
  await page.getByText("roof.png: sending").first().waitFor();
  const redrawn = page.waitForResponse(/\/estimate$/);
  await page.getByRole("link", { name: "Español" }).click();
  await redrawn;
  await page.getByRole("heading", { name: "¿Cuándo podríamos pasar?" }).waitFor();
  arrive();
  await page.locator(".photos li", { hasText: "roof.png: arrived" }).waitFor();
  const [ticked, ...rest] = await picked();
  assert.deepEqual(ticked.map(([value]) => value), before[0].map(([value]) => value));
  assert.deepEqual(ticked.map(([, order]) => order), ["2.º", "1.º"]);
  assert.deepEqual(rest, before.slice(1));
  await page.getByRole("button", { name: "Atrás" }).click();
  await page.locator("[data-screen=estimate] .sh-actions .primary").click();
  await page.locator("[data-screen=booking] [name=wish]").first().waitFor();
  assert.deepEqual(await picked(), [ticked, ...rest]);
  await page.getByRole("button", { name: "Enviar estos horarios" }).click();
  await page.locator("[data-screen=thanks]").waitFor();
  const { inspection } = await leadOf("dana.picks@example.com");
  assert.equal(inspection.photos.length, 1, "the photograph that was on its way was not taken back");
  assert.equal(inspection.note, "Mind the dog.");
  assert.deepEqual(visitor.problems.filter((problem) => !/status of 400/.test(problem)), []);
  await visitor.leave();
});

test("where the translation cannot be loaded, the hosted page opens beside this one in that language", async () => {
  const visitor = await newVisitor(browser, "desktop");
  const { page } = visitor;
  await page.route(/\.es\.json$/, (route) => route.fulfill({ status: 404, json: { statusCode: 404 } }));
  await page.goto(`${site.url}?utm_source=yard-sign`);
  const flow = new Flow(page);
  await flow.open();
  await flow.type("14 Alder Co");
  const [beside] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Español" }).click()]);
  await beside.getByLabel("Dirección de su casa").waitFor();
  const told = new URL(beside.url()).searchParams;
  assert.deepEqual([told.get("lang"), told.get("via")], ["es", "embed"]);
  assert.match(told.get("touch"), /yard-sign/);
  assert.equal(await flow.address.inputValue(), "14 Alder Co", "nothing is lost here");
  await visitor.leave();
});

test("on the hosted page the language changes in place too, and stays after a reload", async () => {
  const visitor = await newVisitor(browser, "phone");
  const { page } = visitor;
  await page.goto(`${widget.hostedPageLink}?via=qr&utm_source=yard-sign`);
  const flow = new Flow(page);
  await page.locator("#sh-list").waitFor({ state: "attached" });
  await flow.type("14 Alder Co");
  await flow.suggestion(/14 Alder Court/).click();
  await page.getByRole("link", { name: "Español" }).click();
  await page.locator(".sh[lang=es]").waitFor();
  await page.reload();
  await page.locator("html[lang=es] .sh[lang=es] #sh-list").waitFor({ state: "attached" });
  const yes = page.getByRole("button", { name: "Sí, es mi techo" });
  const measure = page.getByRole("button", { name: "Medir mi techo" });
  await yes.or(measure).waitFor();
  if (await measure.isVisible()) {
    assert.match(await page.getByLabel("Dirección de su casa").inputValue(), /^14 Alder Court/, "nothing is lost");
    await measure.click();
  }
  await yes.click();
  const email = "dana.sign@example.com";
  for (const [name, text] of [["Nombre", "Dana"], ["Apellido", "Whitfield"], ["Correo electrónico", email]])
    await page.getByLabel(name).fill(text);
  await page.getByRole("button", { name: "Enviar y ver mi presupuesto" }).click();
  await page.getByRole("group", { name: "Material del techo" }).waitFor();
  const { source } = await leadOf(email);
  assert.deepEqual([source.via, source.utmSource], ["qr", "yard-sign"]);
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});
