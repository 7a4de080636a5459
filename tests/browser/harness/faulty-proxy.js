// A proxy that makes some requests fail, in the ways a bad connection does.

import { createServer, request as send } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Numbers that look random and are the same in every run. */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const open = { "access-control-allow-origin": "*", "content-type": "application/json" };

/** What can happen to a request. `pass` sends it on; what it returns is the server's answer. */
const faults = {
  "cut before the server saw it": ({ request }) => request.socket.destroy(),
  "accepted by the server, its answer lost": async ({ request, pass }) => {
    (await pass()).resume();
    request.socket.destroy();
  },
  "answer cut in the middle": async ({ response, pass }) => {
    const answer = await pass();
    response.writeHead(answer.statusCode, { ...answer.headers, "content-length": "100000" });
    answer.once("data", (chunk) => response.write(chunk.subarray(0, 10), () => response.destroy()));
  },
  "a second late": async ({ response, pass }) => {
    const answer = await pass();
    await sleep(1000);
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  },
  "status 500": ({ response }) => response.writeHead(500, open).end(`{"statusCode":500,"message":"injected"}`),
  "status 502 of a proxy": ({ response }) => response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>"),
  "status 429": ({ response }) => response.writeHead(429, { ...open, "retry-after": "1" }).end(`{"statusCode":429}`),
};

/** A proxy before the port that `port` tells. Once `armed`, a share of what is posted to a path that `matches` fails; `injected` counts how. */
export async function faultyProxy({ port, share, matches, seed = 1 }) {
  const random = seededRandom(seed);
  const names = Object.keys(faults);
  const proxy = { armed: true, injected: Object.fromEntries(names.map((name) => [name, 0])), passed: 0 };
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const pass = () =>
      new Promise((resolve, reject) => {
        const { method, url: path, headers } = request;
        send({ host: "127.0.0.1", port: port(), method, path, headers }, resolve).once("error", reject).end(Buffer.concat(parts));
      });
    try {
      if (proxy.armed && request.method === "POST" && matches(request.url)) {
        if (random() < share) {
          const name = names[Math.floor(random() * names.length)];
          proxy.injected[name]++;
          return await faults[name]({ request, response, pass });
        }
        proxy.passed++;
      }
      const answer = await pass();
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    } catch {
      request.socket.destroy();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${server.address().port}`;
  proxy.stop = () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  return proxy;
}
