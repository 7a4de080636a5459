// A visitor who would rather read the other language chooses it, and loses nothing by it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, visitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { Shingle } from "./harness/shingle.js";
import { contractorSite } from "./harness/site.js";

let shingle, browser, widget, site;

before(async () => {
  [shingle, browser] = await Promise.all([Shingle.start(), launch()]);
  widget = await shingle.widget();
  site = await contractorSite(widget.widgetScript);
});

after(async () => {
  await browser?.close();
  await site?.stop();
  await shingle?.stop();
});

const leadOf = async (email) => (await shingle.leads()).find((lead) => lead.email === email);

test("in the dialog the language changes in place, and stays for the next opening", async () => {
  const guest = await visitor(browser, "phone");
  const { page } = guest;
  const flow = new Flow(page);
  await page.goto(site.url);
  await page.evaluate(() => shingle.prefill({ firstName: "Dan" }));
  await flow.open();
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.confirmRoof();
  await page.getByLabel("First name").fill("Dana");
  await guest.picture("phone-language-1-english");
  await page.getByRole("link", { name: "Español" }).click();
  await page.getByRole("heading", { name: "¿A dónde se lo enviamos?" }).waitFor();
  assert.equal(await page.locator("dialog .sh").count(), 1, "one flow is there");
  assert.equal(await page.locator("dialog .sh").getAttribute("lang"), "es");
  assert.equal(await page.getByLabel("Nombre").inputValue(), "Dana", "typed after the page's own suggestion");
  await guest.picture("phone-language-2-spanish");
  const email = "dana.chooses@example.com";
  await page.getByLabel("Apellido").fill("Whitfield");
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Ver mi presupuesto" }).click();
  await page.getByRole("group", { name: "Material del techo" }).waitFor();
  const lead = await leadOf(email);
  assert.match(lead.consent.text, /^Acepto que Quillback Roofing/, "consent is kept as it was read");
  await page.getByRole("button", { name: "Cerrar" }).click();
  await page.locator("dialog").waitFor({ state: "detached" });

  await flow.launcher.click();
  await page.locator("dialog .sh[lang=es]").waitFor();
  await page.getByRole("link", { name: "English" }).click();
  await page.locator("dialog .sh[lang=en]").waitFor();
  assert.deepEqual(guest.problems, []);
  await guest.leave();
});

test("where the words cannot be had, the hosted page speaks the language", async () => {
  const guest = await visitor(browser, "desktop");
  const { page } = guest;
  await page.route(/\.es\.json$/, (route) => route.abort());
  await page.goto(site.url);
  const flow = new Flow(page);
  await flow.open();
  await page.getByRole("link", { name: "Español" }).click();
  await page.waitForURL(`${widget.hostedPageLink}?lang=es`);
  await page.getByLabel("Dirección de su casa").waitFor();
  await guest.leave();
});

test("the hosted page changes as a whole, and remembers where its visitor came from", async () => {
  const guest = await visitor(browser, "phone");
  const { page } = guest;
  await page.goto(`${widget.hostedPageLink}?via=qr&utm_source=yard-sign`);
  const flow = new Flow(page);
  await page.locator(".sh[lang=en] #sh-address:focus, .sh[lang=en] #sh-list").first().waitFor({ state: "attached" });
  await flow.type("14 Alder Co");
  await flow.suggestion(/14 Alder Court/).click();
  await page.getByRole("link", { name: "Español" }).click();
  await page.locator("html[lang=es] .sh[lang=es]").waitFor();
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
  await page.getByRole("button", { name: "Ver mi presupuesto" }).click();
  await page.getByRole("group", { name: "Material del techo" }).waitFor();
  const { source } = await leadOf(email);
  assert.deepEqual([source.via, source.utmSource], ["qr", "yard-sign"]);
  assert.deepEqual(guest.problems, []);
  await guest.leave();
});
