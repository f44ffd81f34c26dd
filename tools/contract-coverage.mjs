/**
 * After a test run: every promised success status of a mounted service and every declared error must have been seen, and no
 * answer may break its declaration.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadServices } from "../dist/app/services.js";
import { promised, shapeOf } from "./promised.mjs";

const allServices = await loadServices();

const { neverSeen, errorsNeverSeen } = JSON.parse(readFileSync("contract/exceptions.json", "utf8"));

const mountOf = new Map(
  allServices.flatMap(({ mount, operations }) => operations.map(({ id }) => [id, mount])),
);
const seen = new Set();
const errorsSeen = new Set();
const violations = new Set();
const folder = ".test-record";
for (const file of existsSync(folder) ? readdirSync(folder) : []) {
  for (const line of readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean)) {
    const { operation, status, error, violation } = JSON.parse(line);
    if (violation) violations.add(`${operation}: ${violation}`);
    else if (error) errorsSeen.add(`${mountOf.get(operation)} ${status} ${error}`);
    else seen.add(`${operation} ${status}`);
  }
}

function unseenStatuses() {
  const unseen = [];
  for (const [letter, { operations }] of Object.entries(promised)) {
    const declared = allServices
      .filter((service) => service.contract === letter)
      .flatMap((service) => service.operations);
    for (const { method, path, success } of operations) {
      const found = declared.find((one) => one.method === method && shapeOf(one.path) === shapeOf(path));
      for (const status of success) {
        const excused = neverSeen.some(
          (one) => one.method === method && one.path === path && one.status === status && one.reason,
        );
        if (found && !excused && !seen.has(`${found.id} ${status}`))
          unseen.push(`${letter} ${method} ${path} -> ${status} (${found.id})`);
      }
    }
  }
  return unseen;
}

/** Of these every operation must have been done in a test, not the promised ones alone. */
const WHOLE = ["B"];
const isSuccess = (status) => Number(status) < 400;
function unseenOperations() {
  return allServices
    .filter(({ contract }) => WHOLE.includes(contract))
    .flatMap(({ operations }) => operations)
    .filter(
      ({ id, answers }) =>
        !Object.keys(answers)
          .filter(isSuccess)
          .some((status) => seen.has(`${id} ${status}`)),
    );
}

/** Services on one mount share their engine's errors: one of them showing such an error is enough. */
function declaredErrors() {
  const errors = new Map();
  for (const { mount, operations } of allServices)
    for (const { id, errors: kinds = [] } of operations)
      for (const { code, status, kernel } of kinds) if (!kernel) errors.set(`${mount} ${status} ${code}`, id);
  return errors;
}
function unseenErrors(errors) {
  const excused = new Set(
    errorsNeverSeen.filter(({ reason }) => reason).map((one) => `${one.mount} ${one.status} ${one.code}`),
  );
  return [...errors].filter(([error]) => !errorsSeen.has(error) && !excused.has(error));
}

const unseen = [
  ...unseenStatuses(),
  ...unseenOperations().map(({ id, method, path }) => `${method} ${path} (${id})`),
];
const declared = declaredErrors();
const missing = unseenErrors(declared);
for (const line of unseen) console.error(`promised, but never seen in a test: ${line}`);
for (const [error, id] of missing)
  console.error(`declared, but never seen in a test: ${error} (such as at ${id})`);
for (const line of violations) console.error(`an answer broke its declaration: ${line}`);
console.log(
  `${seen.size} answers of operations seen, ${unseen.length} promised ones missing; ` +
    `${declared.size} errors declared, ${missing.length} never seen; ${violations.size} violations`,
);
process.exit(unseen.length + missing.length + violations.size === 0 ? 0 : 1);
