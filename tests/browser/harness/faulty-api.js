// An API that fails in one way for each first part of a path: `/busy/api/v1/leads` is busy once.

import { once } from "node:events";
import { createServer } from "node:http";

const json = (status, body, headers = {}) => ({ status, body: JSON.stringify(body), headers: { "content-type": "application/json", "x-request-id": "r-1", ...headers } });
const page = json(200, { data: [], nextCursor: null, younger: "than the client" });
const error = (statusCode, message, headers) => json(statusCode, { message, error: "Said", statusCode }, headers);
const soon = { "retry-after": "0" };
const elsewhere = { status: 308, body: "", headers: { location: "https://elsewhere.example/leads" } };

/** What is answered, one request after the other; the last one from then on. */
const answers = {
  busy: [error(429, "Too many", soon), page],
  "busy-date": [error(503, "Away", { "retry-after": new Date(0).toUTCString() }), page],
  "busy-post": [error(429, "Too many", soon), json(200, { leads: [] })],
  "busy-long": [error(429, "Too many requests. Please try again in 3600 seconds.", { "retry-after": "3600" })],
  fault: [error(500, "Fault", soon), page],
  "fault-post-keyed": [error(500, "Fault", soon), json(201, { id: "1" })],
  "own-key": [json(201, { id: "1" })],
  "fault-post": [error(500, "Fault", soon)],
  "fault-patch": [error(502, "Fault", soon)],
  "fault-forever": [error(500, "Fault", soon)],
  broken: ["broken", page],
  "broken-post": ["broken"],
  silent: ["silent"],
  html: [{ status: 502, body: "<h1>Bad Gateway</h1>", headers: { "content-type": "text/html" } }],
  "not-json": [{ status: 200, body: "<h1>Welcome</h1>", headers: { "content-type": "text/html" } }],
  redirect: [elsewhere],
  rules: [error(400, ["zip must be a 5-digit code", "city should not be empty"])],
  pages: [json(200, { data: [{ id: "a" }, { id: "b" }], nextCursor: "1.f" }), json(200, { data: [{ id: "c" }], nextCursor: null })],
  "empty-object": [json(200, {})],
  "slash-id": [error(404, "Cannot GET")],
};

/** `seen` has the requests of each scenario since `forget`. */
export async function faultyApi() {
  let seen = {};
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const url = new URL(request.url, "http://faulty");
    const name = url.pathname.split("/")[1];
    const path = request.url.slice(name.length + 1);
    const { method, headers } = request;
    const before = (seen[name] ??= []);
    before.push({ method, path, headers, body });
    const all = answers[name] ?? [json(200, { notes: [...url.searchParams.values()] })];
    const answer = all[Math.min(before.length, all.length) - 1];
    if (answer === "silent") return;
    if (answer === "broken") return request.socket.destroy();
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    seen: () => seen,
    forget: () => (seen = {}),
    stop: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
