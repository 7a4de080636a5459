// A page with nothing on it but what every page has, so that what is found on it is ours.

import { createServer } from "node:http";

/** Serves the page with `script` at its end and `head` in its head. */
export async function bareSite(script, head = "") {
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Quillback Roofing</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>body{margin:0;font:16px/1.5 sans-serif;background:#f6f1e9;color:#22262a}header,main,footer{padding:24px}main{min-height:120vh}</style>${head}</head>
<body><header><a href="/">Quillback Roofing</a></header>
<main><h1>Roofs that outlast the weather</h1><p>Slate, metal and shingle.</p><p><a href="#roof-estimate">What would a new roof cost?</a></p></main>
<footer>6 Ropewalk Lane, Portland</footer>
${script}</body></html>`;
  const server = createServer((_, response) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
