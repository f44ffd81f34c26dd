/** Every service there is, in the order of the contract. */
import type { Service } from "#kernel/operation";

export const allServices: readonly Service[] = [];

export class UnknownServiceError extends Error {}

export function chooseServices(names: readonly string[] | undefined): readonly Service[] {
  if (names === undefined) return allServices;
  for (const name of names) {
    if (!allServices.some((service) => service.name === name)) {
      throw new UnknownServiceError(
        `there is no service named ${name}; there are ${allServices.map((service) => service.name).join(", ")}`,
      );
    }
  }
  return allServices.filter((service) => names.includes(service.name));
}
