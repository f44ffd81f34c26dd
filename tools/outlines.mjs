/** Prints the outlines of all services, of the built modules. */
import { outlineOf } from "../dist/app/lazy-service.js";
import { loadServices } from "../dist/app/services.js";

const services = await loadServices();
console.log(
  JSON.stringify(Object.fromEntries(services.map((service) => [service.name, outlineOf(service)]))),
);
