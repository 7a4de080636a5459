// Sites of contractors, each on a port of its own, which is another origin.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "./shingle.js";

const media = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png" };
const scriptSlot = "<!-- the widget's script tag -->";

/** Serves www/demo with `script` in its pages, `head` at the start of their heads. `headers` go with every page. */
export function contractorSite(script, headers = {}, head = "") {
  return listen(async (request, response) => {
    const { pathname } = new URL(request.url, "http://site");
    const name = { "/": "index.html", "/privacy": "privacy.html" }[pathname] ?? path.basename(pathname);
    const type = media[path.extname(name)];
    const bytes = type && (await readFile(path.join(root, "www/demo", name)).catch(() => null));
    if (!bytes) return response.writeHead(404).end();
    const body = name.endsWith(".html") ? bytes.toString().replace(scriptSlot, script).replace("<head>", `<head>${head}`) : bytes;
    response.writeHead(200, { "content-type": type, ...headers }).end(body);
  });
}

/** Serves a page with nothing on it but what every page has: `script` at its end and `head` in its head. */
export function minimalSite(script, head = "") {
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Quillback Roofing</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>body{margin:0;font:16px/1.5 sans-serif;background:#f6f1e9;color:#22262a}header,main,footer{padding:24px}main{min-height:120vh}</style>${head}</head>
<body><header><a href="/">Quillback Roofing</a></header>
<main><h1>Roofs that outlast the weather</h1><p>Slate, metal and shingle.</p><p><a href="#roof-estimate">What would a new roof cost?</a></p></main>
<footer>6 Ropewalk Lane, Portland</footer>
${script}</body></html>`;
  return listen((_, response) => response.writeHead(200, { "content-type": media[".html"] }).end(page));
}

/** Serves what `pages` holds when asked: `{ "/": { html, headers } }`; `type` where it is no page. */
export function staticSite(pages) {
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
