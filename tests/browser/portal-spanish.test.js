// The portal for somebody whose browser asks for Spanish: from the link that claims the installation to the last page of the menu, on
// the narrowest phone, where Spanish needs more room than English.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { violations } from "./harness/accessibility.js";
import { picture } from "./harness/browser.js";
import { sendLead } from "./harness/send-lead.js";
import { setUp } from "./harness/setup.js";
import { operatorPages } from "./fixtures/operator-pages.js";

const { shingle, browser } = await setUp();
const widget = await shingle.widget();
const small = { width: 320, height: 640 };
/** What the browser keeps from one test to the next. */
let kept;

async function maria() {
  const context = await browser.newContext({ viewport: small, locale: "es-MX", storageState: kept });
  const page = await context.newPage();
  const leave = async () => {
    kept = await context.storageState();
    await context.close();
  };
  return { page, leave };
}

/** What is wrong with a page as it stands: wider than the screen, English, not accessible, words of the bar that do not fit. */
async function wrong(page, name) {
  const found = await page.evaluate(() => {
    const wider = document.documentElement.scrollWidth - innerWidth;
    const bar = [...document.querySelectorAll(".rail nav a")].filter((link) => link.checkVisibility());
    const boxes = bar.map((link) => link.getBoundingClientRect());
    const label = (link) => link.querySelector("span");
    // One box for each line of the word.
    const lines = (link) => {
      const range = document.createRange();
      range.selectNodeContents(label(link));
      return range.getClientRects();
    };
    const broken = bar.filter((link) => lines(link).length > 1 || lines(link)[0].width > link.clientWidth);
    const overlap = bar.filter((link, at) => at > 0 && label(link).getBoundingClientRect().left < label(bar[at - 1]).getBoundingClientRect().right);
    return [
      document.documentElement.lang === "es" ? "" : `lang is ${document.documentElement.lang}`,
      wider > 0 ? `${wider} pixels too wide` : "",
      boxes.some((box) => box.left < 0 || box.right > innerWidth + 0.5) ? "the bar leaves the screen" : "",
      new Set(boxes.map((box) => Math.round(box.top))).size > 1 ? "the bar has more than a row" : "",
      broken.length ? `the bar breaks ${broken.map((link) => label(link).textContent)}` : "",
      overlap.length ? `the bar has words on each other: ${overlap.map((link) => link.textContent)}` : "",
    ].filter(Boolean);
  });
  // The bar at the bottom covers what can be scrolled from under it, which axe does not do.
  await page.setViewportSize({ ...small, height: await page.evaluate(() => Math.max(innerHeight, document.documentElement.scrollHeight)) });
  found.push(...(await violations(page)));
  await page.setViewportSize(small);
  return found.map((line) => `${name}: ${line}`);
}

describe("the portal in Spanish", { concurrency: false }, () => {
  it("is claimed, and its pages before signing in are Spanish", async () => {
    const { page, leave } = await maria();
    const found = [];
    for (const [name, path] of Object.entries({
      "sign-in": "/portal/sign-in",
      recovery: "/portal/sign-in/recovery",
      offline: "/portal/offline",
      ended: "/portal/invite?token=x",
    })) {
      await page.goto(shingle.url + path);
      await picture(page, `portal-es-${name}-320`, { fullPage: true });
      found.push(...(await wrong(page, name)));
    }
    await page.goto(shingle.log.match(/"setup":\s*"([^"]+)"/)[1]);
    await page.getByLabel("Su nombre").fill("María Ferreira");
    await page.getByLabel("Correo electrónico").fill("maria@quillback.example");
    await page.getByLabel("Empresa").fill("Quillback Roofing");
    found.push(...(await wrong(page, "setup")));
    await picture(page, "portal-es-setup-320", { fullPage: true });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Le damos la bienvenida, María Ferreira" }).waitFor();
    found.push(...(await wrong(page, "welcome")));
    await picture(page, "portal-es-welcome-320", { fullPage: true });
    assert.deepEqual(found, []);
    await leave();
  });

  it("fits the narrowest phone on every page of the operator", async () => {
    const { page, leave } = await maria();
    const found = [];
    for (const [name, path] of Object.entries(operatorPages)) {
      await page.goto(shingle.url + path);
      await picture(page, `portal-es-${name}-320`, { fullPage: true });
      found.push(...(await wrong(page, name)));
    }
    assert.deepEqual(found, []);
    await leave();
  });

  it("has leads, a lead and a widget that fit too, for an owner", async () => {
    const { link } = await shingle.command("invite", "--account", shingle.account, "--role", "owner");
    kept = undefined;
    const { page, leave } = await maria();
    const path = new URL(link);
    await page.goto(shingle.url + path.pathname + path.search);
    const found = await wrong(page, "invite");
    await page.getByLabel("Su nombre").fill("Tomás Okafor");
    await page.getByLabel("Correo electrónico").fill("tomas@quillback.example");
    await page.getByRole("button", { name: "Unirse", exact: true }).click();
    await page.getByRole("heading", { name: "Le damos la bienvenida, Tomás Okafor" }).waitFor();
    for (const firstName of ["Dana", "Luis"])
      await sendLead(shingle, widget, { firstName, email: `${firstName.toLowerCase()}@example.com`, phone: "2075550143" });
    const lead = (await shingle.api("GET", "/api/v1/leads")).data[0].id;
    for (const [name, at] of Object.entries({
      leads: "/portal/leads?data=sandbox",
      filters: "/portal/leads/filters?data=sandbox",
      "no-match": "/portal/leads?data=sandbox&status=won",
      lead: `/portal/leads/${lead}?data=sandbox`,
    })) {
      await page.goto(shingle.url + at);
      await picture(page, `portal-es-${name}-320`, { fullPage: true });
      found.push(...(await wrong(page, name)));
    }
    await page.getByRole("button", { name: "Yo me encargo" }).click();
    await page.getByText("Tomás Okafor se encarga.").waitFor();
    await page.goto(`${shingle.url}/portal/widgets/new`);
    for (const [label, text] of Object.entries({
      "Sitio web": "quillback.example",
      "Nombre de la empresa": "Quillback Roofing",
      Teléfono: "207.555.0143",
      "Correo electrónico": "office@quillback.example",
      Dirección: "5 Mill St, Portland, ME 04101",
      "Política de privacidad": "quillback.example/privacy",
    }))
      await page.getByLabel(label, { exact: true }).fill(text);
    await page.getByRole("button", { name: "Crear el widget" }).click();
    await page.getByText(/^Su widget está listo\. No pudimos leer su sitio web/).waitFor();
    found.push(...(await wrong(page, "widget")));
    await picture(page, "portal-es-widget-320", { fullPage: true });
    // A phone shows one section at a time.
    await page.getByRole("link", { name: "Póngalo en su sitio", exact: true }).click();
    found.push(...(await wrong(page, "widget-section")));
    await page.getByRole("button", { name: "Copiar" }).first().click();
    await page.getByRole("button", { name: "Copiado" }).waitFor();
    assert.deepEqual(found, []);
    await leave();
  });
});
