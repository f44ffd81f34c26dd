/** `npm run contract`: what the contract promises, what is declared, what is missing; 0 only when nothing mounted misses. */
import { loadServices } from "../dist/app/services.js";
import { promised, shapeOf } from "./promised.mjs";

const allServices = await loadServices();

const namesOf = (operations) => new Set(operations.map(({ method, path }) => `${method} ${shapeOf(path)}`));

let missing = 0;
console.log("service                        promised declared missing");
for (const [letter, { name, operations }] of Object.entries(promised)) {
  const services = allServices.filter((service) => service.contract === letter);
  if (services.length === 0) {
    console.log(`${`${letter} ${name}`.padEnd(30)} ${String(operations.length).padStart(8)} not mounted`);
    continue;
  }
  const declared = services.flatMap((service) => service.operations);
  const known = namesOf(declared);
  const absent = operations.filter(({ method, path }) => !known.has(`${method} ${shapeOf(path)}`));
  missing += absent.length;
  console.log(
    `${`${letter} ${name}`.padEnd(30)} ${String(operations.length).padStart(8)} ${String(declared.length).padStart(8)} ${String(absent.length).padStart(7)}`,
  );
  for (const { method, path } of absent) console.log(`    missing: ${method} ${path}`);
  for (const operation of operations) {
    const found = declared.find(
      ({ method, path }) => method === operation.method && shapeOf(path) === shapeOf(operation.path),
    );
    const undeclared = found ? operation.success.filter((status) => !(status in found.answers)) : [];
    if (undeclared.length === 0) continue;
    missing += 1;
    console.log(`    ${operation.method} ${operation.path} does not declare ${undeclared.join(", ")}`);
  }
}
process.exit(missing === 0 ? 0 : 1);
