// tsc copies TypeScript only. This copies icons and the descriptions for n8n's search.

import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";

for (const folder of ["credentials", "nodes/Shingle"])
  for (const name of await readdir(folder)) if (/\.(svg|json)$/.test(name)) await cp(join(folder, name), join("dist", folder, name));
