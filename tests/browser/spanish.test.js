// A page in Spanish gets the flow in Spanish: every text on every step is a sentence of the Spanish file, or a name.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";
import { root } from "./harness/shingle.js";
import { contractorSite } from "./harness/site.js";

const [english, spanish] = await Promise.all([sentences("en"), sentences("es")]);
const { shingle, browser, closing } = await setUp();
const { widgetScript } = await shingle.widget();
const site = closing(await contractorSite(widgetScript, {}, '<script>document.documentElement.lang = "es-US"</script>'));

/** Every sentence of a language by its key: its text, and what a filled one looks like. */
async function sentences(tag) {
  const file = JSON.parse(await readFile(path.join(root, `www/words/${tag}.json`), "utf8"));
  const list = Object.entries(file).flatMap(([key, value]) => [value].flat().map((text) => ({ key, text })));
  const literal = (text) => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return list.map(({ key, text }) => ({
    key,
    text,
    shape: new RegExp(`^${text.split(/\{\w+\}/).map(literal).join("[^]+")}$`),
  }));
}

/** What can be read or heard in the dialog. */
const texts = (page) =>
  page.locator("dialog").evaluate((dialog) => {
    const found = new Set();
    const walk = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walk.currentNode; node; node = walk.nextNode()) {
      const said = node.nodeType === Node.TEXT_NODE
        // What was typed is bold, what differs is marked: a street is read whole.
        ? [(node.parentElement.closest("[role=option] > div, .sh-choice b") ?? node).textContent]
        : ["aria-label", "placeholder", "title", "alt"].map((name) => node.getAttribute(name) ?? "");
      for (const text of said) if (/\p{L}{2}/u.test(text)) found.add(text.trim());
    }
    return [...found];
  });

// The company, the visitor, places, keys of a keyboard, and names of sources: nobody's language.
const names = [/Quillback/, /quillback/, /Ropewalk/, /\(207\)/, /See what a new roof would cost/, /Alder/, /, ME\b/, /^(Enter|Esc)$/,
  /dana/i, /^\w{3}-\w{3}$/];
// What the server calls buildings and roofs, in Spanish.
const server = [/^(A|Plano|Rectangular|Mansarda)( |$|,)/, /· (Casa|Garaje|Cobertizo|Edificio)/];

async function allSpanish(page, step) {
  const all = await texts(page);
  assert.ok(all.length > 8, `${step}: something is to be read (${all.length} texts)`);
  for (const text of all) {
    const spoken = (part) => spanish.some((s) => s.shape.test(part));
    const known = spoken(text) || text.split(/(?<=\.) /).every(spoken);
    // A sentence of blanks alone, such as that of a month, is every text.
    const hasWords = (s) => /\p{L}/u.test(s.text.replace(/\{\w+\}/g, ""));
    const other = english.find((s, at) => hasWords(s) && s.shape.test(text) && s.text !== spanish[at].text);
    const name = [...names, ...server].some((shape) => shape.test(text));
    assert.ok(!other || known || name, `${step}: “${text}” is English (${other?.key})`);
    const measure = /^[\d.,×· /]+ (pies(²| cuadrados)?)$|^(Cumbrera|Limatesa|Limahoya|Alero) [\d,]+ pies$/.test(text);
    assert.ok(known || name || measure, `${step}: “${text}” is no sentence of the Spanish file`);
  }
}

test("on a Spanish page the whole flow is Spanish, and the consent is kept as it was read", async () => {
  const visitor = await newVisitor(browser, "desktop");
  const { page } = visitor;
  const button = (name) => page.getByRole("button", { name });
  const heading = (name) => page.getByRole("heading", { name }).waitFor();
  await page.goto(site.url);
  await button(/^(Get my roof estimate|Ver el precio de mi techo)$/).or(page.getByRole("link", { name: /^(Get my roof estimate|Ver el precio de mi techo)$/ })).click();
  const address = page.getByRole("combobox", { name: "Dirección de su casa" });
  await address.waitFor();
  assert.equal(await page.locator("dialog .sh").getAttribute("lang"), "es");
  await allSpanish(page, "address");

  await address.pressSequentially("14 Alder Co");
  await page.getByRole("option", { name: /14 Alder Court/ }).waitFor();
  await visitor.picture("spanish-1-suggestions");
  await allSpanish(page, "suggestions");

  await page.getByRole("option", { name: "Escribir la dirección por partes" }).click();
  await heading("Escriba la dirección por partes");
  await button("Medir este techo").click();
  await page.getByText("Escriba la ciudad.").waitFor();
  await allSpanish(page, "parts");
  await button("Volver a la búsqueda").click();

  await address.fill("999 Nowhere Boulevard, Harrow Falls, ME");
  await page.getByText("Aún no coincide ninguna dirección").waitFor({ state: "attached" });
  await address.press("Enter");
  await heading("No encontramos esa dirección exacta");
  await allSpanish(page, "not found");
  await button("Corregir la dirección").click();

  await address.fill("14 Alder Co");
  await page.getByRole("option", { name: /14 Alder Court/ }).click();
  if (await button("Medir mi techo").isVisible()) await button("Medir mi techo").click();
  await button(/^Sí, es mi techo|^Presupuestar/).waitFor();
  await visitor.picture("spanish-2-roof");
  await allSpanish(page, "roof");
  await button(/^Sí, es mi techo|^Presupuestar/).click();

  await heading("¿Para quién es el presupuesto?");
  await button("Enviar y ver mi presupuesto").click();
  await page.getByText("Revise 3 campos.").waitFor();
  await page.getByLabel("Teléfono").fill("555");
  await page.getByLabel("Correo electrónico").fill("dana@example");
  await button("Enviar y ver mi presupuesto").click();
  await page.getByText("Este tiene 3.").waitFor();
  await visitor.picture("spanish-3-details");
  await allSpanish(page, "details with errors");

  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog", { name: "¿Cerrar su presupuesto?" }).waitFor();
  await allSpanish(page, "closing");
  await button("Continuar").click();

  const email = "dana.spanish@example.com";
  await page.getByLabel("Nombre").fill("Dana");
  await page.getByLabel("Apellido").fill("Whitfield");
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByLabel("Teléfono").fill("2075550177");
  await page.getByRole("checkbox").check();
  await button("Enviar y ver mi presupuesto").click();
  await page.getByRole("group", { name: "Material del techo" }).waitFor();
  await page.getByRole("radio", { name: /Pizarra/ }).check();
  await page.getByText(/pizarra natural, con instalación/).waitFor();
  await page.getByRole("status").getByText(/^Pizarra natural: \$[\d,]+\. Entre/).waitFor({ state: "attached" });
  await visitor.picture("spanish-4-estimate");
  await allSpanish(page, "estimate");

  await button("Reservar una inspección").click();
  await button("Omitir, sin visita por ahora").click();
  await heading("Gracias, Dana");
  await visitor.picture("spanish-5-thanks");
  await allSpanish(page, "thanks");

  const [lead] = (await shingle.leads()).filter((one) => one.email === email);
  const consent = spanish.find((s) => s.key === "consent").text.replace("{company}", "Quillback Roofing");
  assert.deepEqual([lead.consent.given, lead.consent.text], [true, consent]);
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});

test("a lead that waits for the server waits in Spanish", async () => {
  const visitor = await newVisitor(browser, "phone");
  const { page } = visitor;
  const button = (name) => page.getByRole("button", { name });
  await page.goto(site.url);
  await button(/^(Get my roof estimate|Ver el precio de mi techo)$/).or(page.getByRole("link", { name: /^(Get my roof estimate|Ver el precio de mi techo)$/ })).click();
  await page.getByRole("combobox", { name: "Dirección de su casa" }).pressSequentially("14 Alder Co");
  await page.getByRole("option", { name: /14 Alder Court/ }).click();
  if (await button("Medir mi techo").isVisible()) await button("Medir mi techo").click();
  await button(/^Sí, es mi techo|^Presupuestar/).click();
  await page.getByLabel("Nombre").fill("Dana");
  await page.getByLabel("Apellido").fill("Whitfield");
  await page.getByLabel("Correo electrónico").fill("dana.waits@example.com");
  await shingle.kill();
  await button("Enviar y ver mi presupuesto").click();
  await page.getByRole("heading", { name: /^Guardado aquí/ }).waitFor();
  await visitor.picture("spanish-6-unsent");
  await allSpanish(page, "unsent");
  await visitor.leave();
});
