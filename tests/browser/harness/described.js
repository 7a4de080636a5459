// A server with a record of every kind that its description names.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { consentText, root, Shingle } from "./shingle.js";

/** The server with a widget and a lead that has a photograph, and the operations that it describes. */
export async function startDescribed(t) {
  const logo = await readFile(path.join(root, "www/demo/logo.png"));
  const shingle = await Shingle.start({ limits: { requests_per_key: 1_000_000 } });
  t.after(() => shingle.stop());
  const widget = await shingle.widget();
  const page = async (where, body, method = "POST") => {
    const headers = { origin: "http://127.0.0.1" };
    const answer = await fetch(`${shingle.url}/w/${widget.referenceId}${where}`, { method, headers, body });
    const record = await answer.json();
    assert.ok(answer.ok, JSON.stringify(record));
    return record;
  };
  const { token } = await page("/session");
  const lead = await page("/leads", JSON.stringify({
    token, address: { line: "14 Alder Court" }, firstName: "Ann", lastName: "Sample", email: "ann@example.com", elapsedMs: 20_000,
    consent: { given: true, text: consentText },
  }));
  const form = new FormData();
  form.append("leadToken", lead.leadToken);
  form.append("photo", new File([logo], "roof.png", { type: "image/png" }));
  await page(`/leads/${lead.id}/photos`, form);
  // The owner sees photographs once a visit is asked for.
  const days = Array.from({ length: 7 }, (_, ahead) => new Date(Date.now() + (ahead + 3) * 86_400_000));
  const wednesday = days.find((day) => day.getUTCDay() === 3).toISOString().slice(0, 10);
  const inspection = { wishes: [{ date: wednesday, part: "morning" }], contactBy: "email" };
  await page(`/leads/${lead.id}`, JSON.stringify({ leadToken: lead.leadToken, inspection }), "PATCH");
  const description = await (await fetch(`${shingle.url}/openapi.json`)).json();
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  return { shingle, widget, lead, operations };
}
