/** Every service there is, in the order of the contract. */
import type { Service } from "#kernel/operation";
import { resourceManager } from "#kernel/resource-provider";
import apiDiagnostics from "../services/api-diagnostics/index.ts";
import braille from "../services/braille/index.ts";
import configurationStores, { configurationData } from "../services/configuration-stores/index.ts";
import hardwareSecurityModules from "../services/hardware-security-modules/index.ts";
import identity from "../services/identity/index.ts";
import resourceGroups from "../services/resource-groups/index.ts";
import scheduler from "../services/scheduler/index.ts";
import sqlDatabases from "../services/sql-databases/index.ts";
import sqlVirtualMachines from "../services/sql-virtual-machines/index.ts";
import voice from "../services/voice/index.ts";

export const allServices: readonly Service[] = [
  identity,
  braille,
  resourceManager,
  hardwareSecurityModules,
  configurationStores,
  configurationData,
  apiDiagnostics,
  sqlVirtualMachines,
  sqlDatabases,
  scheduler,
  voice,
  resourceGroups,
];

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
  const chosen = allServices.filter((service) => names.includes(service.name));
  for (const service of chosen) refuseAlone(service, chosen);
  return chosen;
}

/** One service may need another, which has to be named as well. */
function refuseAlone({ name, needs = [] }: Service, chosen: readonly Service[]): void {
  for (const port of needs) {
    const provides = (service: Service) => service.provides?.some((one) => one.port.name === port.name);
    if (!chosen.some(provides))
      throw new UnknownServiceError(`${name} needs ${allServices.find(provides)?.name}: name it as well`);
  }
}
