// Where everybody's files lie: the contractor's page on one origin, the other embeds on a second one, as their
// CDNs are. A worker of its own, so that serving does not wait for the measuring. All bodies are compressed
// beforehand; nothing here is asked of anybody else.

import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import path from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { brotliCompressSync, constants } from "node:zlib";
import { snippets } from "./candidates.js";

const { root, packages, widgetScript } = workerData;
const media = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** An answer, compressed once; pictures are as small as they get. */
function body(type, content) {
  const plain = Buffer.from(content);
  if (type === ".png") return { type: media[type], bytes: plain };
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  return { type: media[type], bytes: brotliCompressSync(plain, { params }), coding: "br" };
}

/** `find(url)` gives a body, or nothing. Answers every request, whatever its origin: the second origin is a CDN. */
function serve(find) {
  const server = createServer((request, response) => {
    const headers = {
      "access-control-allow-origin": request.headers.origin ?? "*",
      "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "*",
      "access-control-max-age": "600",
      "timing-allow-origin": "*",
      "cache-control": "max-age=600",
    };
    if (request.method === "OPTIONS") return response.writeHead(204, headers).end();
    const found = find(new URL(request.url, "http://site"));
    if (!found) return response.writeHead(404, headers).end();
    headers["content-type"] = found.type;
    headers["content-length"] = found.bytes.length;
    if (found.coding) headers["content-encoding"] = found.coding;
    response.writeHead(200, headers).end(found.bytes);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`));
  });
}

const packaged = (name) => readFileSync(path.join(packages, "node_modules", name), "utf8");

/** A frame that stands for an application nobody can get: one field, and word to its parents once it is painted. */
const frame = (words) => `<!doctype html><meta name=viewport content="width=device-width"><title>Form</title>
<label>Address <input></label><script>${words}
requestAnimationFrame(() => setTimeout(() => top.postMessage({ bench: "ready" }, "*")))</script>`;

/** What Typebot's server answers when a chat starts: one line, then a text field, without feigned typing. */
const chat = {
  sessionId: "bench",
  typebot: {
    id: "bench",
    version: "6",
    theme: {},
    settings: {
      general: { isTypingEmulationEnabled: false, isBrandingEnabled: false },
      typingEmulation: { enabled: false, isDisabledOnFirstMessage: true, delayBetweenBubbles: 0 },
    },
  },
  messages: [
    {
      id: "line",
      type: "text",
      content: { type: "richText", richText: [{ type: "p", children: [{ text: "See what a new roof would cost" }] }] },
    },
  ],
  input: { id: "field", type: "text input", options: { labels: { placeholder: "Your home address", button: "Next" } } },
  clientSideActions: [],
};

const vendor = {};
const vendorUrl = await serve(({ pathname }) => vendor[pathname]);
const local = (text, from, to) => {
  if (!text.includes(from)) throw new Error(`${from} is not in the package any more: the bench has to be adapted`);
  return text.replaceAll(from, vendorUrl + to);
};
// The only changes to the packages: the hosts of their stylesheets are this one.
vendor["/typebot/web.js"] = body(".js", local(packaged("@typebot.io/js/dist/web.js"), "https://fonts.bunny.net", "/fonts"));
vendor["/fonts/css2"] = body(".css", "");
vendor["/typebot/api/v1/typebots/bench/startChat"] = body(".json", JSON.stringify(chat));
vendor["/cal/embed.js"] = body(".js", packaged("@calcom/embed-core/dist/embed/embed.js"));
vendor["/cal/quillback/visit/embed"] = body(
  ".html",
  frame('for (const type of ["__iframeReady", "linkReady"]) parent.postMessage({ fullType: "CAL::" + type, type, data: {} }, "*");'),
);
vendor["/typeform/embed.js"] = body(
  ".js",
  local(packaged("@typeform/embed/build/embed.js"), "https://embed.typeform.com/next/css/", "/typeform/css/"),
);
vendor["/typeform/css/popover.css"] = body(".css", packaged("@typeform/embed/build/css/popover.css"));
vendor["/typeform/form"] = body(".html", frame(""));

const demo = path.join(root, "www/demo");
const page = readFileSync(path.join(demo, "index.html"), "utf8");
const place = "<!-- the widget's script tag -->";
if (!page.includes(place)) throw new Error("the demo page has no place for a script tag");
const calSnippet = packaged("@calcom/embed-snippet/dist/snippet.umd.js");
const pages = {};
for (const [name, snippet] of Object.entries(snippets({ vendorUrl, widgetScript, calSnippet }))) {
  pages[name] = body(".html", page.replace(place, () => snippet));
}
const assets = {};
for (const name of ["style.css", "logo.svg", "mark.svg", "logo.png"]) {
  assets["/" + name] = body(path.extname(name), readFileSync(path.join(demo, name)));
}
const siteUrl = await serve(({ pathname, searchParams }) =>
  pathname === "/" ? pages[searchParams.get("with")] : assets[pathname],
);

parentPort.postMessage({ siteUrl, vendorUrl });
