// Says of each request in a file whether it is accepted: node vectors.mjs PACKAGE FILE

import { readFile } from "node:fs/promises";
const { verifyWebhook, WebhookVerificationError } = await import(process.argv[2]);

const said = [];
for (const { body, headers, secret, now } of JSON.parse(await readFile(process.argv[3], "utf8"))) {
  try {
    const event = await verifyWebhook(body, headers, secret, { now });
    const same = await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret, { now });
    said.push(JSON.stringify(event) === JSON.stringify(same) ? "accepted" : "bytes and text differ");
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    said.push("refused");
  }
}
console.log(JSON.stringify(said));
