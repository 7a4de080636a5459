// Writes www/clients/python/src/shingle: types.py, _operations.py, _version.py.

import { addressNames, bodies, isMap, pascal, refName, snake, withoutNull } from "./description.mjs";

const head = '"""Written by www/clients/generate.mjs from the description of the API. Do not change it by hand."""';
const keywords = new Set(["from", "in", "is", "class", "import", "pass", "global", "with", "as", "for", "def"]);

export function python(api) {
  return {
    "python/src/shingle_client/types.py": types(api),
    "python/src/shingle_client/_operations.py": operations(api),
    "python/src/shingle_client/_version.py": `${head}\n\n__version__ = ${JSON.stringify(api.version)}\n`,
  };
}

const doc = (text, indent) => {
  if (!text) return "";
  const safe = text.replaceAll("\\", "\\\\").replaceAll('"""', "'''").replace(/"$/, '" ');
  const lines = safe.split("\n").map((line) => `${indent}${line}`.trimEnd());
  return `${indent}"""${lines.join("\n").trimStart()}${lines.length > 1 ? `\n${indent}` : ""}"""\n`;
};
const comment = (text, indent) => (text ? text.split("\n").map((line) => `${indent}# ${line}\n`).join("") : "");
const literal = (value) => (value === null ? "None" : value === true ? "True" : value === false ? "False" : JSON.stringify(value));

/** Collects classes: a TypedDict has a name, also where the description gives none. */
class Classes {
  texts = [];
  names = new Set();

  type(schema, name) {
    if (schema.$ref) return refName(schema);
    if (schema.allOf) return this.combined(schema, name);
    const { isNullable, plain, union } = withoutNull(schema);
    const all = union ? union.map((one, n) => this.type(one, union.length > 1 && !one.$ref ? `${name}${n + 1}` : name)) : [this.whole(plain, name)];
    const one = all.length > 1 ? `Union[${[...new Set(all)].join(", ")}]` : all[0];
    return isNullable && !one.startsWith("Optional[") ? `Optional[${one}]` : one;
  }

  whole(schema, name) {
    if ("const" in schema) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(", ")}]`;
    switch (schema.type) {
      case "integer":
        return "int";
      case "number":
        return "float";
      case "boolean":
        return "bool";
      case "array":
        return `List[${this.type(schema.items, `${name}Item`)}]`;
      case "object":
        if (isMap(schema)) return `Dict[str, ${this.type(schema.additionalProperties, `${name}Value`)}]`;
        if (!schema.properties) return "Dict[str, Any]";
        return this.object(schema, name);
      default:
        return schema.format === "binary" ? "FileInput" : "str";
    }
  }

  combined(schema, name) {
    this.add(name, `class ${name}(${schema.allOf.map(refName).join(", ")}):\n${doc(schema.description, "    ") || "    pass\n"}`);
    return name;
  }

  /** Keys that must be there in a base class: `NotRequired` is younger than Python 3.9. */
  object({ properties, required = [], description }, name) {
    const fields = Object.entries(properties).map(([key, schema]) => [key, this.type(schema, `${name}${pascal(key)}`), schema.description]);
    const must = fields.filter(([key]) => required.includes(key));
    const may = fields.filter(([key]) => !required.includes(key));
    const body = (list) => list.map(([key, type, about]) => `    ${key}: ${type}\n${doc(about, "    ")}`).join("");
    const functional = (own, list, total) =>
      `${own} = TypedDict("${own}", {\n${list.map(([key, type, about]) => `${comment(about, "    ")}    "${key}": '${type}',\n`).join("")}}${total})\n`;
    const hasKeyword = (list) => list.some(([key]) => keywords.has(key));
    if (hasKeyword(may)) throw new Error(`${name} has an optional key that is a word of Python`);
    if (!may.length) {
      const text = hasKeyword(must) ? functional(name, must, "") : `class ${name}(TypedDict):\n${doc(description, "    ")}${body(must) || "    pass\n"}`;
      return this.add(name, text);
    }
    if (must.length) {
      const base = `_${name}`;
      this.add(base, hasKeyword(must) ? functional(base, must, "") : `class ${base}(TypedDict):\n${body(must)}`);
      return this.add(name, `class ${name}(${base}, total=False):\n${doc(description, "    ")}${body(may)}`);
    }
    return this.add(name, `class ${name}(TypedDict, total=False):\n${doc(description, "    ")}${body(may)}`);
  }

  add(name, text) {
    if (this.names.has(name)) throw new Error(`two types of Python are called ${name}`);
    this.names.add(name);
    this.texts.push(text);
    return name;
  }
}

function types(api) {
  const classes = new Classes();
  const aliases = [];
  const named = (name, schema) => {
    const type = classes.type(schema, name);
    if (type !== name) aliases.push(`${name} = ${type}\n`);
  };
  for (const [name, schema] of inOrder(api.schemas)) named(name, schema);
  for (const operation of [...api.groups.values()].flat()) {
    if (operation.answer.schema?.allOf) named(operation.answer.typeName, operation.answer.schema);
  }
  for (const { typeName, schema } of bodies(api)) named(typeName, schema);
  for (const { typeName, schema } of api.events) named(typeName, schema);
  const address = addressNames.map((name) => `    ${name}: str`).join("\n");
  const text = [
    `${head}\n\nfrom __future__ import annotations\n\nfrom typing import Any, Dict, List, Literal, Optional, Tuple, Union\n\nfrom ._typing import TypedDict\n`,
    `FileInput = Union[bytes, Tuple[str, bytes]]\n"""The bytes of a picture, or its name and its bytes."""\n`,
    `class AddressParts(TypedDict):\n${address}\n`,
    `Address = Union[str, AddressParts]\n"""An address in one line, or in its five parts."""\n`,
    ...aliases,
    ...classes.texts,
  ];
  return text.join("\n\n");
}

/** A class is written after those that it is made of. */
function inOrder(schemas) {
  const done = new Map();
  const visit = (name) => {
    if (done.has(name)) return;
    for (const one of schemas[name].allOf ?? []) visit(refName(one));
    done.set(name, schemas[name]);
  };
  Object.keys(schemas).forEach(visit);
  return done;
}

const argument = (name) => (keywords.has(snake(name)) ? `${snake(name)}_` : snake(name));

const answerType = ({ answer }) => {
  if (answer.kind === "text") return "str";
  if (answer.kind === "bytes") return "bytes";
  if (answer.schema.allOf) return `types.${answer.typeName}`;
  return answer.schema.$ref ? `types.${refName(answer.schema)}` : `List[types.${refName(answer.schema.items)}]`;
};

function queryType(schema) {
  const type = new Classes().type(schema, "Query");
  return type.startsWith("List[") ? type.replace("List[", "Sequence[") : type;
}

function parameters(operation, { ofAll = false } = {}) {
  const { inPath, takesAddress, body, sentBack, query, takesIdempotencyKey } = operation;
  const list = ["self", ...inPath.map((one) => `${argument(one.name)}: str`)];
  if (takesAddress) list.push("address: types.Address");
  if (body) {
    const type = sentBack ? `Union[types.${body.typeName}, types.${sentBack}]` : `types.${body.typeName}`;
    list.push(`body: ${body.required ? type : `Optional[${type}] = None`}`);
  }
  list.push("*");
  for (const one of query) {
    if (!(ofAll && one.name === "cursor")) list.push(`${argument(one.name)}: Optional[${queryType(one.schema)}] = None`);
  }
  if (takesIdempotencyKey) list.push("idempotency_key: Optional[str] = None");
  list.push("timeout: Optional[float] = None", "max_retries: Optional[int] = None");
  return list;
}

function request(operation) {
  const { method, path, inPath, body, query, takesAddress, takesIdempotencyKey, answer } = operation;
  const where = inPath.length ? `f"${path.replace(/\{(\w+)\}/g, (_, name) => `{segment('${argument(name)}', ${argument(name)})}`)}"` : `"${path}"`;
  const parts = [`"${method}"`, where];
  if (takesAddress) parts.push("address=address");
  if (query.length) parts.push(`query={${query.map((one) => `"${one.name}": ${argument(one.name)}`).join(", ")}}`);
  if (body) parts.push(`${body.kind}=body${body.required ? "" : " or {}"}`);
  if (takesIdempotencyKey) parts.push("takes_idempotency_key=True", "idempotency_key=idempotency_key");
  if (answer.kind !== "json") parts.push(`accept="${answer.accept}"`);
  return `Call(${parts.join(", ")})`;
}

function method(operation, isAsync) {
  const result = answerType(operation);
  const call = `${isAsync ? "await " : ""}self._http.${operation.answer.kind}(${request(operation)}, timeout, max_retries)`;
  const cast = operation.answer.kind === "json" ? `cast("${result}", ${call})` : call;
  return `    ${isAsync ? "async " : ""}def ${snake(operation.name)}(\n        ${parameters(operation).join(",\n        ")},\n    ) -> ${result}:
${doc(operation.about, "        ")}        return ${cast}
`;
}

/** The method that goes through all pages. */
function allPages(operation, isAsync) {
  const item = `types.${refName(operation.item)}`;
  const words = [
    ...operation.inPath.map((one) => argument(one.name)),
    ...operation.query.map((one) => `${argument(one.name)}=${argument(one.name)}`),
    "timeout=timeout", "max_retries=max_retries",
  ];
  const wait = isAsync ? "await " : "";
  return `    ${isAsync ? "async " : ""}def ${snake(operation.name)}_all(\n        ${parameters(operation, { ofAll: true }).join(",\n        ")},\n    ) -> ${isAsync ? "AsyncIterator" : "Iterator"}[${item}]:
        """Like \`${snake(operation.name)}\`: every item, of one page after the other."""
        cursor: Optional[str] = None
        while True:
            page = ${wait}self.${snake(operation.name)}(${words.join(", ")})
            for item in page["data"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return
`;
}

function operations(api) {
  const classes = (isAsync) =>
    [...api.groups].map(([group, all]) => {
      const name = `${isAsync ? "Async" : ""}${pascal(group)}`;
      const methods = all.flatMap((one) => (one.item ? [method(one, isAsync), allPages(one, isAsync)] : [method(one, isAsync)]));
      return `class ${name}:\n    def __init__(self, http: ${isAsync ? "AsyncHttp" : "Http"}) -> None:\n        self._http = http\n\n${methods.join("\n")}`;
    });
  const groups = (isAsync) => {
    const prefix = isAsync ? "Async" : "";
    const lines = [...api.groups.keys()].map((group) => `        self.${snake(group)} = ${prefix}${pascal(group)}(http)\n`).join("");
    return `class ${prefix}Groups:\n    def __init__(self, http: ${prefix}Http) -> None:\n${lines}`;
  };
  const imports = `from __future__ import annotations

from typing import AsyncIterator, Iterator, List, Literal, Optional, Sequence, Union, cast

from . import types
from ._http import AsyncHttp, Call, Http, segment
`;
  return [`${head}\n\n${imports}`, ...classes(false), groups(false), ...classes(true), groups(true)].join("\n\n");
}
