/** The mounted services, asked for once: they do not change while the server runs. */
import { call, type SignedIn } from "./api.ts";
import type { Answers } from "./generated/operations.ts";
import { Store, useStore } from "./store.ts";

export type ServiceSummary = Answers["medley.services"]["services"][number];

const services = new Store<readonly ServiceSummary[]>([]);
export const useServices = (): readonly ServiceSummary[] => useStore(services);

export async function loadServices(): Promise<void> {
  services.set((await call("medley.services", {})).services);
}

/** Admins see what it holds, others what it can do. */
export const servicePath = (name: string, who: SignedIn | undefined): string =>
  who?.admin ? `/console/services/${name}` : `/console/docs/${name}`;

export const mountOf = (name: string): string => services.value.find((one) => one.name === name)?.mount ?? "";
