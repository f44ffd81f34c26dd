/**
 * How each operation is called with the client library that people use for its service: client-libraries.json says which one and how it
 * is set up, the recorders find out which of its methods sends what. Writes console/clients, one file for each service; to be run again
 * after a library or the operations have changed. Where no method sends an operation's request there is no line for it, and the console
 * shows a plain fetch. With `--check` nothing is written, and what would change is told.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadServices } from "../dist/app/services.js";
import { openApiOf } from "../dist/kernel/openapi/index.js";
import { recorders } from "./client-recorders.mjs";

const FOLDER = new URL("../console/clients/", import.meta.url);
const isCheck = process.argv.includes("--check");
const declared = JSON.parse(readFileSync(new URL("client-libraries.json", import.meta.url), "utf8"));
const services = await loadServices();

const isTyped = ({ schema }) => /^(?:integer|number|boolean)$/.test(schema.type ?? "");
const operationsOf = (service) =>
  Object.entries(openApiOf([service], "http://127.0.0.1").paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id, parameters = [] }]) => ({
      id,
      path,
      method: method.toUpperCase(),
      query: parameters.filter((one) => one.in === "query").map(({ name }) => name),
      typed: parameters.filter((one) => one.in === "query" && isTyped(one)).map(({ name }) => name),
    })),
  );

async function clientsOf(service, libraries) {
  const operations = operationsOf(service);
  const clients = [];
  for (const { recorder, setup, setupOverHttp, calls: written = {}, ...library } of libraries) {
    const found = recorder ? await recorders[recorder](library, operations, service.mount) : {};
    const calls = Object.entries({ ...found, ...written }).sort(([a], [b]) => (a < b ? -1 : 1));
    clients.push({ setup, ...(setupOverHttp && { setupOverHttp }), calls: Object.fromEntries(calls) });
  }
  return { clients, operations };
}

const before = Object.fromEntries(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name, JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"))]),
);
for (const [name, libraries] of Object.entries(declared)) {
  const service = services.find((one) => one.name === name);
  const { clients, operations } = await clientsOf(service, libraries);
  const text = `${JSON.stringify(clients, null, 2)}\n`;
  const count = clients.reduce((sum, { calls }) => sum + Object.keys(calls).length, 0);
  console.log(`${name}: ${count} calls for ${operations.length} operations`);
  if (!isCheck) writeFileSync(new URL(`${name}.json`, FOLDER), text);
  else if (JSON.stringify(before[`${name}.json`]) !== JSON.stringify(clients)) {
    console.error(`${name} has changed: run node tools/client-calls.mjs`);
    process.exitCode = 1;
  }
}
process.exit();
