// Writes www/clients/php/src: Types.php, Version.php, Groups/*.php.

import { addressNames, bodies, isMap, pascal, refName, withoutNull } from "./description.mjs";

const head = "<?php\n\n// Written by www/clients/generate.mjs from the description of the API. Do not change it by hand.\n\ndeclare(strict_types=1);\n";

export function php(api) {
  const files = {
    "php/src/Types.php": types(api),
    "php/src/Version.php": `${head}\nnamespace Shingle\\Client;\n\n/** @internal */\nfinal class Version\n{\n    public const TEXT = '${api.version}';\n}\n`,
    "php/src/Groups.php": groups(api),
  };
  for (const [group, all] of api.groups) files[`php/src/Groups/${pascal(group)}.php`] = groupClass(group, all);
  return files;
}

const quoted = (value) => (value === null ? "null" : typeof value === "string" ? `'${value.replace(/[\\']/g, "\\$&")}'` : String(value));

/** The type as PHPStan, Psalm and PhpStorm read it. */
function type(schema) {
  if (schema.$ref) return refName(schema);
  if (schema.allOf) return schema.allOf.map(type).join("&");
  const { isNullable, plain, union } = withoutNull(schema);
  const all = new Set(union ? union.map(type) : [whole(plain)]);
  if (isNullable) all.add("null");
  return [...all].join("|");
}

function whole(schema) {
  if ("const" in schema) return quoted(schema.const);
  if (schema.enum) return schema.enum.map(quoted).join("|");
  switch (schema.type) {
    case "integer":
      return "int";
    case "number":
      return "int|float";
    case "boolean":
      return "bool";
    case "array":
      return `list<${type(schema.items)}>`;
    case "object":
      if (isMap(schema)) return `array<string, ${type(schema.additionalProperties)}>`;
      return schema.properties ? shape(schema) : "array<string, mixed>";
    default:
      return schema.format === "binary" ? "Upload" : "string";
  }
}

const shape = ({ properties, required = [] }) =>
  `array{${Object.entries(properties).map(([name, schema]) => `${name}${required.includes(name) ? "" : "?"}: ${type(schema)}`).join(", ")}}`;

/** All fields of an object and of those that it is made of. */
function merged(schemas, schema) {
  const parts = schema.allOf.map((one) => schemas[refName(one)]);
  const properties = Object.assign({}, ...parts.map((one) => one.properties));
  for (const name of schema.without) delete properties[name];
  return { properties, required: parts.flatMap((one) => one.required ?? []) };
}

function types(api) {
  const all = [];
  const add = (name, text) => all.push(` * @phpstan-type ${name} ${text}`);
  add("AddressParts", `array{${addressNames.map((name) => `${name}: string`).join(", ")}}`);
  for (const [name, schema] of Object.entries(api.schemas)) add(name, type(schema));
  for (const { answer } of [...api.groups.values()].flat()) {
    if (answer.schema?.allOf) add(answer.typeName, shape(merged(api.schemas, answer.schema)));
  }
  for (const { typeName, schema } of bodies(api)) add(typeName, type(schema));
  for (const { typeName, schema } of api.events) add(typeName, type(schema));
  return `${head}
namespace Shingle\\Client;

/**
 * The arrays that the methods take and return, for static analysis and for editors.
 *
${all.join("\n")}
 */
final class Types
{
}
`;
}

const answerType = ({ answer }) => {
  if (answer.kind !== "json") return { hint: "string", shape: "string", names: [] };
  const shapeText = answer.schema.allOf ? answer.typeName : type(answer.schema);
  return { hint: "array", shape: shapeText, names: [answer.schema.allOf ? answer.typeName : refName(answer.schema) ?? refName(answer.schema.items)] };
};

function scalar(schema) {
  const types = { integer: "int", number: "int|float", boolean: "bool", array: "array" };
  return types[withoutNull(schema).plain?.type] ?? "string";
}

const nullable = (text) => (text.includes("|") ? `${text}|null` : `?${text}`);

function parameters(operation, { ofAll = false } = {}) {
  const list = operation.inPath.map((one) => ({ name: one.name, text: `string $${one.name}` }));
  if (operation.takesAddress) list.push({ name: "address", text: "string|array $address", doc: "string|AddressParts" });
  if (operation.body) {
    list.push({ name: "body", text: `array $body${operation.body.required ? "" : " = []"}`, doc: [operation.body.typeName, operation.sentBack].filter(Boolean).join("|") });
  }
  for (const { name, schema, description } of operation.query) {
    if (ofAll && name === "cursor") continue;
    list.push({ name, text: `${nullable(scalar(schema))} $${name} = null`, doc: `${type(schema)}|null`, about: description });
  }
  if (operation.takesIdempotencyKey) {
    list.push({ name: "idempotencyKey", text: "?string $idempotencyKey = null", about: "Requests with the same key have an effect once; by default each call has its own." });
  }
  list.push({ name: "options", text: "?RequestOptions $options = null" });
  return list;
}

function comment(about, list, result) {
  const lines = about.replaceAll("*/", "* /").split("\n");
  const params = list.filter((one) => one.doc).map((one) => `@param ${one.doc} $${one.name}${one.about ? ` ${one.about.replaceAll("\n", " ")}` : ""}`);
  const all = [...lines, "", ...params, `@return ${result}`, "@throws ShingleException"];
  return `    /**\n${all.map((line) => `     * ${line}`.trimEnd()).join("\n")}\n     */\n`;
}

/** Paths to the objects of a body: an empty array of PHP would be sent as a list. `*` is every item. */
function objects(schema, at = "") {
  const { plain, union } = withoutNull(schema);
  if (union) return [...new Set(union.flatMap((one) => objects(one, at)))];
  if (plain.type === "array") return objects(plain.items, at ? `${at}.*` : "*");
  if (plain.type !== "object") return [];
  const within = Object.entries(plain.properties ?? {}).flatMap(([name, one]) => objects(one, at ? `${at}.${name}` : name));
  return [at, ...within];
}

function request(operation) {
  const { method, path, inPath, body, query, takesAddress, takesIdempotencyKey, answer } = operation;
  const pieces = inPath.length ? path.split(/\{(\w+)\}/).map((piece, n) => (n % 2 ? `Call::segment('${piece}', $${piece})` : piece && `'${piece}'`)).filter(Boolean).join(" . ") : `'${path}'`;
  const parts = [`'${method}'`, pieces];
  if (takesAddress) parts.push("address: $address");
  if (query.length) parts.push(`query: [${query.map((one) => `'${one.name}' => $${one.name}`).join(", ")}]`);
  if (body?.kind === "json") parts.push("json: $body", `objects: [${objects(body.schema).map((one) => `'${one}'`).join(", ")}]`);
  if (body?.kind === "form") parts.push("form: $body");
  if (takesIdempotencyKey) parts.push("takesIdempotencyKey: true", "idempotencyKey: $idempotencyKey");
  if (answer.kind !== "json") parts.push(`accept: '${answer.accept}'`);
  return `new Call(${parts.join(", ")})`;
}

function method(operation) {
  const list = parameters(operation);
  const { hint, shape: result } = answerType(operation);
  const send = operation.answer.kind === "json" ? "json" : "text";
  return `${comment(operation.about, list, result)}    public function ${operation.name}(${list.map((one) => one.text).join(", ")}): ${hint}
    {
        return $this->http->${send}(${request(operation)}, $options);
    }
`;
}

/** The method that goes through all pages. */
function allPages(operation) {
  const list = parameters(operation, { ofAll: true });
  const words = [...operation.inPath.map((one) => `$${one.name}`), ...operation.query.map((one) => `${one.name}: $${one.name}`), "options: $options"];
  const about = `Like \`${operation.name}\`: every item, of one page after the other.`;
  return `${comment(about, list, `\\Generator<int, ${refName(operation.item)}>`)}    public function ${operation.name}All(${list.map((one) => one.text).join(", ")}): \\Generator
    {
        $cursor = null;
        do {
            $page = $this->${operation.name}(${words.join(", ")});
            foreach ($page['data'] as $item) {
                yield $item;
            }
            $cursor = $page['nextCursor'];
        } while ($cursor !== null);
    }
`;
}

function groupClass(group, all) {
  const methods = all.flatMap((one) => (one.item ? [method(one), allPages(one)] : [method(one)]));
  const names = new Set();
  for (const one of all) {
    answerType(one).names.forEach((name) => names.add(name));
    if (one.item) names.add(refName(one.item));
    if (one.takesAddress) names.add("AddressParts");
    if (one.body) names.add(one.body.typeName);
    if (one.sentBack) names.add(one.sentBack);
  }
  const imports = [...names].sort().map((name) => ` * @phpstan-import-type ${name} from Types`).join("\n");
  return `${head}
namespace Shingle\\Client\\Groups;

use Shingle\\Client\\Call;
use Shingle\\Client\\Http;
use Shingle\\Client\\RequestOptions;
use Shingle\\Client\\ShingleException;
use Shingle\\Client\\Types;

/**
${imports}
 */
final class ${pascal(group)}
{
    /** @internal */
    public function __construct(private readonly Http $http)
    {
    }

${methods.join("\n")}}
`;
}

function groups(api) {
  const names = [...api.groups.keys()];
  return `${head}
namespace Shingle\\Client;

/** The operations of the API, in groups. */
abstract class Groups
{
${names.map((name) => `    public readonly Groups\\${pascal(name)} $${name};`).join("\n")}

    /** @internal */
    protected function __construct(Http $http)
    {
${names.map((name) => `        $this->${name} = new Groups\\${pascal(name)}($http);`).join("\n")}
    }
}
`;
}
