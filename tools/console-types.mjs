/** Types of the admin interface for the console's app, made from the OpenAPI document that the product serves. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createAdminServices } from "../dist/admin/index.js";
import { openApiOf } from "../dist/kernel/openapi/index.js";

/** Only declarations are looked at, so nothing has to run. */
const [admin] = createAdminServices({ services: [] }, {});
const { paths, components } = openApiOf([admin], "http://127.0.0.1");

const keyOf = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

function objectOf(schema) {
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, member]) => `${keyOf(name)}${required.has(name) ? "" : "?"}: ${typeOf(member)}`,
  );
  const rest = schema.additionalProperties ?? Object.values(schema.patternProperties ?? {})[0];
  if (members.length === 0) return `Record<string, ${typeof rest === "object" ? typeOf(rest) : "unknown"}>`;
  return `{ ${members.join("; ")} }`;
}

function typeOf(schema) {
  if (schema.$ref) return typeOf(components.schemas[schema.$ref.split("/").at(-1)]);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return `(${choices.map(typeOf).join(" | ")})`;
  if (schema.allOf) return schema.allOf.map(typeOf).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return schema.items ? `readonly (${typeOf(schema.items)})[]` : "readonly unknown[]";
    case "object":
      return objectOf(schema);
    default:
      return "unknown";
  }
}

const parametersIn = (place, parameters = []) => {
  const found = parameters.filter((one) => one.in === place);
  if (found.length === 0) return undefined;
  const isNeeded = (one) => one.required && one.schema.default === undefined;
  const members = found.map((one) => `${keyOf(one.name)}${isNeeded(one) ? "" : "?"}: ${typeOf(one.schema)}`);
  return [`{ ${members.join("; ")} }`, found.some(isNeeded)];
};

function inputOf({ parameters, requestBody }) {
  const json = requestBody?.content["application/json"]?.schema;
  const parts = [
    ["params", parametersIn("path", parameters)],
    ["query", parametersIn("query", parameters)],
    ["body", json && [typeOf(json), requestBody.required ?? false]],
  ];
  return `{ ${parts
    .filter(([, part]) => part)
    .map(([name, [type, isNeeded]]) => `${name}${isNeeded ? "" : "?"}: ${type}`)
    .join("; ")} }`;
}

function answerOf({ responses }) {
  const [, success] = Object.entries(responses).find(([status]) => status < "300");
  const json = success.content?.["application/json"]?.schema;
  return json ? typeOf(json) : "undefined";
}

const all = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
const lines = [
  "/** Made by tools/console-types.mjs from the OpenAPI document of the admin interface; never changed by hand. */",
  "export const operations = {",
  ...all.map(
    ({ path, method, operation }) =>
      `  "${operation.operationId}": { method: "${method}", path: "${path}" },`,
  ),
  "} as const;",
  "export type OperationId = keyof typeof operations;",
  "export type Inputs = {",
  ...all.map(({ operation }) => `  "${operation.operationId}": ${inputOf(operation)};`),
  "};",
  "export type Answers = {",
  ...all.map(({ operation }) => `  "${operation.operationId}": ${answerOf(operation)};`),
  "};",
];
mkdirSync("console/generated", { recursive: true });
writeFileSync("console/generated/operations.ts", `${lines.join("\n")}\n`);
