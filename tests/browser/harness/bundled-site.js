// A site that uses the npm package: its files, and React's, as a bundler would hand them to the browser.

import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { root } from "./shingle.js";

const modules = path.join(root, "tests/browser/node_modules");

/** The package's folder without the runtime: from the suite, or made now by `cargo xtask package`. */
export async function packageFolder() {
  if (process.env.SHINGLE_PACKAGE) return process.env.SHINGLE_PACKAGE;
  const words = ["run", "--quiet", "--package", "xtask", "--", "package", "--without-runtime"];
  return (await promisify(execFile)("cargo", words, { cwd: root })).stdout.trim();
}

const react = {
  react: { file: "react/cjs/react.development.js", needs: [], names: ["StrictMode", "createElement", "useEffect", "useState"] },
  scheduler: { file: "scheduler/cjs/scheduler.development.js", needs: [], names: [] },
  "react-dom": { file: "react-dom/cjs/react-dom.development.js", needs: ["react"], names: [] },
  "react-dom/client": {
    file: "react-dom/cjs/react-dom-client.development.js",
    needs: ["react", "react-dom", "scheduler"],
    names: ["createRoot"],
  },
};

/** A CommonJS file as a module. */
async function module({ file, needs, names }) {
  const source = await readFile(path.join(modules, file), "utf8");
  const imports = needs.map((name, n) => `import need${n} from "${name}";`).join("\n");
  const known = needs.map((name, n) => `"${name}": need${n}`).join(", ");
  return `${imports}
const module = { exports: {} }, exports = module.exports, process = { env: { NODE_ENV: "development" } };
const require = (name) => ({ ${known} })[name];
${source}
export default module.exports;
export const { ${names.join(", ")} } = module.exports;`;
}

/** Serves pages that `body` is written into; `headers` go with each of them. */
export async function bundledSite(folder, { body = "", headers = {} } = {}) {
  const importMap = { imports: { "shingle-embed": "/embed.js", "shingle-embed/react": "/react.js" } };
  for (const name of Object.keys(react)) importMap.imports[name] = `/modules/${name}`;
  const page = `<!doctype html><html lang="en"><title>A bundled site</title>
<script type="importmap">${JSON.stringify(importMap)}</script><main>${body}</main></html>`;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://site");
    const script = (text) => response.writeHead(200, { "content-type": "text/javascript; charset=utf-8" }).end(text);
    const name = pathname.slice("/modules/".length);
    if (pathname === "/") return response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers }).end(page);
    if (pathname === "/favicon.ico") return response.writeHead(204).end();
    if (pathname.startsWith("/modules/") && react[name]) return script(await module(react[name]));
    const file = pathname.endsWith(".js") && (await readFile(path.join(folder, path.basename(pathname))).catch(() => null));
    return file ? script(file) : response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
