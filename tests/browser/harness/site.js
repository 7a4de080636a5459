// Somebody else's site, on a port of its own, which is another origin.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "./shingle.js";

const media = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png" };
const place = "<!-- the widget's script tag -->";

/** Serves www/demo with `script` in its pages, `head` at the start of their heads. `headers` go with every page. */
export function contractorSite(script, headers = {}, head = "") {
  return listen(async (request, response) => {
    const { pathname } = new URL(request.url, "http://site");
    const name = { "/": "index.html", "/privacy": "privacy.html" }[pathname] ?? path.basename(pathname);
    const type = media[path.extname(name)];
    const bytes = type && (await readFile(path.join(root, "www/demo", name)).catch(() => null));
    if (!bytes) return response.writeHead(404).end();
    const body = name.endsWith(".html") ? bytes.toString().replace(place, script).replace("<head>", `<head>${head}`) : bytes;
    response.writeHead(200, { "content-type": type, ...headers }).end(body);
  });
}

/** Serves what `pages` holds when asked: `{ "/": { html, headers } }`; `type` where it is no page. */
export function plainSite(pages) {
  return listen((request, response) => {
    const { pathname } = new URL(request.url, "http://site");
    if (pathname === "/favicon.ico") return response.writeHead(204).end();
    const page = pages[pathname];
    if (!page) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": page.type ?? media[".html"], ...page.headers }).end(page.html);
  });
}

async function listen(answer) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    stop: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
