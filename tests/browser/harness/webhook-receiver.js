// A server of the contractor's that gets webhooks, and checks who sent them.

import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { Arrivals } from "./arrivals.js";

/** `next` waits for a request: its headers, its body as text and as JSON. */
export async function webhookReceiver() {
  const arrived = new Arrivals();
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const body = Buffer.concat(chunks).toString();
    arrived.add({ method: request.method, headers: request.headers, body, event: JSON.parse(body) });
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/leads`,
    next: (wanted) => arrived.next(wanted),
    stop: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}

/** Whether one of the signatures was made with this secret, by the text of the Standard Webhooks specification. */
export function isSigned({ headers, body }, secret) {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const wanted = createHmac("sha256", key).update(content).digest();
  return headers["webhook-signature"].split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return signature.startsWith("v1,") && given.length == wanted.length && timingSafeEqual(given, wanted);
  });
}
