/**
 * True answers for the documentation: `node tools/doc-answers.mjs` starts a server in memory, loads the demo data and
 * sends a request to every operation it finds values for. Identifiers come from earlier answers, bodies from the examples
 * of the declarations and from hints.json. Setups make what no single request makes, or visit pages one after another.
 * What answered with success is written to console/answers, one file for each service. An operation that this run does
 * not reach keeps the answer of an earlier run, and so does one whose answer differs in identifiers and times only, except
 * with `--renew`. Names of services choose some of them; `--missing` says what an operation without an answer was told
 * last. To be run again after operations or demo data have changed.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadServices } from "../dist/app/services.js";
import { openApiOperationOf } from "../dist/kernel/openapi/index.js";
import { startServer } from "./doc-answers/account.mjs";
import { isSame } from "./doc-answers/same.mjs";
import { Sender } from "./doc-answers/sender.mjs";
import { recordBackup } from "./doc-answers/setups/backup.mjs";
import { prepareBank } from "./doc-answers/setups/bank.mjs";
import { recordContributions } from "./doc-answers/setups/contributions.mjs";
import { recordFace } from "./doc-answers/setups/face.mjs";
import {
  recordConfigurationData,
  recordEvents,
  recordPodcasts,
  recordResourceGroups,
  recordRobotics,
} from "./doc-answers/setups/few.mjs";
import { recordFunctions } from "./doc-answers/setups/functions.mjs";
import { recordIdentity } from "./doc-answers/setups/identity.mjs";
import { recordLanguage } from "./doc-answers/setups/language.mjs";
import { recordManager } from "./doc-answers/setups/managers.mjs";
import { recordUnpack } from "./doc-answers/setups/unpack.mjs";
import { shownOf } from "./doc-answers/shown.mjs";
import { Values } from "./doc-answers/values.mjs";

const FOLDER = new URL("../console/answers/", import.meta.url);
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const tellsMissing = process.argv.includes("--missing");
const renews = process.argv.includes("--renew");
const TRIES_MAX = 60;
const MISSING = /cannot find an application|path parameter|does not exist|has no version/i;
const ROUNDS = 3;
/** Things are made before they are changed, and removed at the end. */
const ORDER = ["GET", "HEAD", "POST", "PUT", "PATCH", "OPTIONS", "DELETE"];

const medley = await startServer();
const sender = new Sender(medley);
const services = await loadServices();
mkdirSync(FOLDER, { recursive: true });
for (const { name } of services) await sender.admin("POST", "/_medley/seed", { services: [name] });
/** What the demo data has begun, such as the deployment of a function, has to end first. */
const QUIET_MS_MAX = 60_000;
for (const fromMs = Date.now(); Date.now() < fromMs + QUIET_MS_MAX; ) {
  const { text } = await sender.admin("GET", "/_medley/metrics");
  if (!/^medley_jobs_(?:due|running)\b.* [1-9]/m.test(text)) break;
  await new Promise((resolve) => setTimeout(resolve, 200));
}

const isRemoval = ({ id, method }) =>
  method === "DELETE" || /[._-](?:delete|remove|stop|cancel|un)[A-Z-]?|\.Delete|\.Stop|\.Un/.test(id);

const SETUPS = {
  contributions: recordContributions,
  events: recordEvents,
  functions: recordFunctions,
  podcasts: recordPodcasts,
  robotics: recordRobotics,
  "resource-groups": recordResourceGroups,
  backup: recordBackup,
  bank: prepareBank,
  identity: recordIdentity,
  language: recordLanguage,
  face: recordFace,
  unpack: recordUnpack,
  "resource-manager": recordManager,
  "hardware-security-modules": recordManager,
  "configuration-stores": recordManager,
  "configuration-data": recordConfigurationData,
  "api-diagnostics": recordManager,
  "sql-databases": recordManager,
  "sql-virtual-machines": recordManager,
  scheduler: recordManager,
};
/** Notes the answers of requests that a setup makes, by the operation that answered. */
const recorderOf =
  (service, values, found) =>
  (request, answer, url = medley.url) => {
    // Some parameters are names with slashes.
    const shapeOf = ({ path, segments }) =>
      new RegExp(
        `^${service.mount}${path.replaceAll(/\{(\w+)\}/g, (_, name) => (segments?.[name] === undefined ? "[^/]+" : ".+"))}/?$`,
      );
    const [place] = request.path.split("?");
    const fitting = service.operations.filter(
      (one) => one.method === request.method && shapeOf(one).test(place),
    );
    // A literal word is meant before a parameter, and a longer name before a shorter one.
    const [operation] = fitting.sort(
      (a, b) => a.path.split("{").length - b.path.split("{").length || b.path.length - a.path.length,
    );
    if (!operation) return;
    found.set(operation.id, shownOf({ request, answer }, url));
    // Another server's things are not here.
    if (url === medley.url) values.note(operation, request, answer.body, service.operations);
  };
/** Sends a request with the credential that the operation takes, and records its answer. */
const callerOf = (service, values, found, by) => async (id, path, body) => {
  const operation = service.operations.find((one) => one.id === id);
  const request = { method: operation.method, path, ...(body && { body }) };
  const answer = await by.send(service, operation, request);
  if (answer.status >= 400) throw new Error(`${id}: ${answer.status} ${answer.text}`);
  const isFile = answer.isPicture || body instanceof FormData;
  found.set(id, shownOf({ request: { ...request, ...(isFile && { body: undefined }) }, answer }, by.url));
  // Another server's things are not here.
  if (by === sender) values.note(operation, request, answer.body, service.operations);
  return answer;
};
async function setUp(service, values, found) {
  const given = {
    url: medley.url,
    service: service.name,
    account: sender.account,
    call: callerOf(service, values, found, sender),
    callOn: (other) => callerOf(service, values, found, other),
    admin: (method, path, body) => sender.admin(method, path, body),
    know: (template, path) => values.know(template, path),
    name: (name, value) => values.name(name, value),
    record: recorderOf(service, values, found),
  };
  // Without the rest of a setup, the other operations have their answers all the same.
  await SETUPS[service.name]?.(given).catch((error) => console.error(`${service.name}: ${error.message}`));
}

const lastTold = new Map();
async function answerOf(service, operation, values) {
  const described = openApiOperationOf(service, operation);
  let tries = 0;
  /** What is not there for one body is not there for another. */
  const missing = new Set();
  for (const request of values.requestsFor(service, operation, described)) {
    const [place] = request.path.split("?");
    if (missing.has(place)) continue;
    if (tries++ >= TRIES_MAX) return undefined;
    const answer = await sender.send(service, operation, request);
    lastTold.set(
      operation.id,
      `${request.method} ${request.path} ${answer.status} ${answer.text?.slice(0, 300)}`,
    );
    if (answer.status === 404 || (answer.status === 400 && MISSING.test(answer.text))) missing.add(place);
    if (answer.status >= 200 && answer.status < 300)
      return { request: { ...request, ...(answer.isPicture && { body: undefined }) }, answer };
  }
  return undefined;
}

/** Parts of a service know what the others made. */
const PART_OF = { "language-predictions": "language", "configuration-data": "configuration-stores" };
const known = new Map();
async function answersOf(service) {
  const values = known.get(PART_OF[service.name]) ?? new Values(medley);
  known.set(service.name, values);
  const found = new Map();
  await setUp(service, values, found);
  const missing = service.operations.filter(({ id }) => !found.has(id));
  const left = new Set(
    missing.sort(
      (a, b) =>
        isRemoval(a) - isRemoval(b) ||
        ORDER.indexOf(a.method) - ORDER.indexOf(b.method) ||
        (isRemoval(a) ? b.path.length - a.path.length : a.path.length - b.path.length),
    ),
  );
  for (let round = 0; round < ROUNDS; round += 1)
    for (const operation of left) {
      if (round < ROUNDS - 1 && isRemoval(operation)) continue;
      const seen = await answerOf(service, operation, values);
      if (!seen) continue;
      left.delete(operation);
      values.note(operation, seen.request, seen.answer.body, service.operations);
      for (const address of seen.answer.addresses) values.noteAddress(address, service.operations);
      found.set(operation.id, shownOf(seen, medley.url));
    }
  return found;
}

let [count, all] = [0, 0];
for (const service of services) {
  if (wanted.length > 0 && !wanted.includes(service.name)) continue;
  const file = new URL(`${service.name}.json`, FOLDER);
  const found = new Map(existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, "utf8"))) : []);
  for (const [id, answer] of await answersOf(service))
    if (renews || !found.has(id) || !isSame(found.get(id), answer)) found.set(id, answer);
  const ordered = service.operations.flatMap(({ id }) => (found.has(id) ? [[id, found.get(id)]] : []));
  count += ordered.length;
  all += service.operations.length;
  console.log(`${service.name}: ${ordered.length} of ${service.operations.length}`);
  if (tellsMissing)
    for (const { id } of service.operations)
      if (!found.has(id)) console.log(`  ${id}: ${lastTold.get(id) ?? "no request"}`);
  writeFileSync(
    file,
    `{\n${ordered.map(([id, one]) => `${JSON.stringify(id)}:${JSON.stringify(one)}`).join(",\n")}\n}\n`,
  );
}
console.log(`answers of ${count} of ${all} operations`);
await medley.stop();
process.exit();
