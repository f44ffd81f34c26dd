/** After a test run: every promised success status of a mounted service must have been seen, and no answer may break its declaration. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { allServices } from "../dist/app/services.js";
import { promised, shapeOf } from "./promised.mjs";

const { neverSeen } = JSON.parse(readFileSync("contract/exceptions.json", "utf8"));

const seen = new Set();
const violations = [];
const folder = ".test-record";
for (const file of existsSync(folder) ? readdirSync(folder) : []) {
  for (const line of readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean)) {
    const { operation, status, violation } = JSON.parse(line);
    if (violation) violations.push(`${operation}: ${violation}`);
    else seen.add(`${operation} ${status}`);
  }
}
const unseen = [];
for (const [letter, { operations }] of Object.entries(promised)) {
  const declared = allServices
    .filter((service) => service.contract === letter)
    .flatMap((service) => service.operations);
  if (declared.length === 0) continue;
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
for (const line of unseen) console.error(`promised, but never seen in a test: ${line}`);
for (const line of new Set(violations)) console.error(`an answer broke its declaration: ${line}`);
console.log(
  `${seen.size} answers of operations seen, ${unseen.length} promised ones missing, ${violations.length} violations`,
);
process.exit(unseen.length + violations.length === 0 ? 0 : 1);
