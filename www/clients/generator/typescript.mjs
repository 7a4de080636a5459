// Writes www/clients/typescript/src: types.ts, operations.ts, version.ts.

import { addressNames, bodies, isMap, pascal, refName, withoutNull } from "./description.mjs";

const head = "// Written by www/clients/generate.mjs from the description of the API. Do not change it by hand.";

export function typescript(api) {
  return {
    "typescript/src/types.ts": types(api),
    "typescript/src/operations.ts": operations(api),
    "typescript/src/version.ts": `${head}\n\nexport const version = ${JSON.stringify(api.version)};\n`,
  };
}

const doc = (text, indent = "") => {
  if (!text) return "";
  const lines = text.replaceAll("*/", "* /").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
};

/** `isInput`: what may be left out may also be `undefined`. */
function type(schema, isInput, indent = "") {
  if (schema.$ref) return refName(schema);
  if (schema.allOf) {
    const whole = schema.allOf.map((one) => type(one, isInput, indent)).join(" & ");
    return schema.without?.length ? `Omit<${whole}, ${schema.without.map((name) => JSON.stringify(name)).join(" | ")}>` : whole;
  }
  const { isNullable, plain, union } = withoutNull(schema);
  const texts = union ? union.map((one) => type(one, isInput, indent)) : [whole(plain, isInput, indent)];
  const all = [...new Set([...texts.flatMap((text) => (text.includes("{") ? [text] : text.split(" | "))), ...(isNullable ? ["null"] : [])])];
  return [...all.filter((text) => text !== "null"), ...(all.includes("null") ? ["null"] : [])].join(" | ");
}

function whole(schema, isInput, indent) {
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  switch (schema.type) {
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array": {
      const item = type(schema.items, isInput, indent);
      if (schema.minItems === 2 && schema.maxItems === 2) return `[${item}, ${item}]`;
      return /[ |&]/.test(item) ? `Array<${item}>` : `${item}[]`;
    }
    case "object":
      if (isMap(schema)) return `Record<string, ${type(schema.additionalProperties, isInput, indent)}>`;
      if (!schema.properties) return "Record<string, unknown>";
      return members(schema, isInput, indent);
    default:
      if (schema.format === "binary") return "FileInput";
      return "string";
  }
}

function members({ properties, required = [] }, isInput, indent) {
  const within = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const must = required.includes(name);
    const also = isInput && !must ? " | undefined" : "";
    return `${doc(schema.description, within)}${within}${name}${must ? "" : "?"}: ${type(schema, isInput, within)}${also};`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function named(name, schema, isInput, about = schema.description) {
  const text = type(schema, isInput);
  const isObject = text.startsWith("{") && text.endsWith("\n}") && !text.includes("\n} ");
  return doc(about) + (isObject ? `export interface ${name} ${text}` : `export type ${name} = ${text};`);
}

function types(api) {
  const parts = [head, `/** The bytes of a picture. */\nexport type FileInput = Blob | Uint8Array | ArrayBuffer;`];
  const address = addressNames.map((name) => `  ${name}: string;`).join("\n");
  parts.push(`/** An address in one line, or in its five parts. */\nexport type Address = string | AddressParts;`);
  parts.push(`export interface AddressParts {\n${address}\n}`);
  for (const [name, schema] of Object.entries(api.schemas)) parts.push(named(name, schema, false));
  for (const operation of [...api.groups.values()].flat()) {
    if (operation.answer.schema?.allOf) parts.push(named(operation.answer.typeName, operation.answer.schema, false));
    if (operation.query.length) {
      const schema = { type: "object", properties: {}, required: operation.query.filter((one) => one.required).map((one) => one.name) };
      for (const one of operation.query) schema.properties[one.name] = { ...one.schema, description: one.description };
      parts.push(named(operation.queryName, schema, true));
    }
  }
  for (const { typeName, schema } of bodies(api)) parts.push(named(typeName, schema, true));
  for (const { typeName, schema, summary } of api.events) parts.push(named(typeName, schema, false, summary));
  return parts.join("\n\n") + "\n";
}

function operations(api) {
  const classes = [...api.groups].map(([group, all]) => {
    const methods = all.flatMap((one) => (one.item ? [method(one), allPages(one)] : [method(one)]));
    return `export class ${pascal(group)} {\n  readonly #http: Http;\n\n  constructor(http: Http) {\n    this.#http = http;\n  }\n\n${methods.join("\n\n")}\n}`;
  });
  const used = new Set(classes.join("\n").match(/\btypes\.\w+/g));
  if (!used.size) throw new Error("no type is used");
  const groups = [...api.groups.keys()].map((group) => `    ${group}: new ${pascal(group)}(http),`).join("\n");
  return `${head}

import { type Http, pages, type PostOptions, type RequestOptions, segment } from "./http.js";
import type * as types from "./types.js";

${classes.join("\n\n")}

export const groups = (http: Http) => {
  return {
${groups}
  };
};
`;
}

const answerType = ({ answer }) => {
  if (answer.kind === "text") return "string";
  if (answer.kind === "bytes") return "Uint8Array";
  return answer.schema.allOf ? `types.${answer.typeName}` : type(answer.schema, false).replace(/\b(?=[A-Z]\w+)/, "types.");
};

function parameters(operation) {
  const { inPath, body, sentBack, query, queryName, takesAddress, takesIdempotencyKey } = operation;
  const list = inPath.map((one) => `${one.name}: string`);
  if (takesAddress) list.push("address: types.Address");
  if (body) list.push(`body: types.${body.typeName}${sentBack ? ` | types.${sentBack}` : ""}${body.required ? "" : " = {}"}`);
  if (query.length) list.push(`query: types.${queryName}${query.some((one) => one.required) ? "" : " = {}"}`);
  list.push(`options: ${takesIdempotencyKey ? "PostOptions" : "RequestOptions"} = {}`);
  return list;
}

function request(operation) {
  const { method, path, inPath, body, query, takesAddress, takesIdempotencyKey, answer } = operation;
  const where = inPath.length ? `\`${path.replace(/\{(\w+)\}/g, '${segment("$1", $1)}')}\`` : JSON.stringify(path);
  const parts = [`method: ${JSON.stringify(method)}`, `path: ${where}`];
  if (takesAddress) parts.push("address");
  if (query.length) parts.push("query");
  if (body) parts.push(`${body.kind}: body`);
  if (takesIdempotencyKey) parts.push("takesIdempotencyKey: true");
  if (answer.kind !== "json") parts.push(`accept: ${JSON.stringify(answer.accept)}`);
  return `{ ${parts.join(", ")} }`;
}

function method(operation) {
  const result = answerType(operation);
  return `${doc(operation.about, "  ")}  async ${operation.name}(${parameters(operation).join(", ")}): Promise<${result}> {
    return this.#http.${operation.answer.kind}${operation.answer.kind === "json" ? `<${result}>` : ""}(${request(operation)}, options);
  }`;
}

/** The method that goes through all pages. */
function allPages(operation) {
  const given = operation.inPath.map((one) => one.name);
  const query = `query: Omit<types.${operation.queryName}, "cursor"> = {}`;
  const list = parameters(operation).map((one) => (one.startsWith("query:") ? query : one));
  const call = [...given, "{ ...query, cursor }", "options"].join(", ");
  return `  /** Like \`${operation.name}\`: every item, of one page after the other. */
  ${operation.name}All(${list.join(", ")}): AsyncGenerator<types.${refName(operation.item)}, void, undefined> {
    return pages((cursor) => this.${operation.name}(${call}));
  }`;
}
