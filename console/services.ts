/** The mounted services, asked for once: they do not change while the server runs. */
import { call, type SignedIn } from "./api.ts";
import type { Answers } from "./generated/operations.ts";
import { Store } from "./shared-value.ts";
import { useStore } from "./store.ts";

export type ServiceSummary = Answers["medley.services"]["services"][number];

const services = new Store<readonly ServiceSummary[]>([]);
export const useServices = (): readonly ServiceSummary[] => useStore(services);

export async function loadServices(): Promise<void> {
  services.set((await call("medley.services", {})).services);
}

type ServicePage = ServiceSummary["pages"][number];
/** Inside the console where it is a tool; below the mount of the service otherwise. */
export const pageHref = ({ name, mount }: ServiceSummary, { path, isTool }: ServicePage): string =>
  isTool ? `/console/services/${name}${path}` : mount + path;
export function findTool(
  all: readonly ServiceSummary[],
  href: string,
): { readonly service: ServiceSummary; readonly page: ServicePage } | undefined {
  for (const service of all)
    for (const page of service.pages)
      if (page.isTool && pageHref(service, page) === href) return { service, page };
  return undefined;
}
export const toolsOfServices = (): readonly {
  readonly title: string;
  readonly summary: string;
  readonly path: string;
}[] =>
  services.value.flatMap((service) =>
    service.pages
      .filter(({ isTool }) => isTool)
      .map((page) => ({ title: page.title, summary: service.title, path: pageHref(service, page) })),
  );

/** Admins see what it holds, others what it can do. */
export const servicePath = (name: string, who: SignedIn | undefined): string =>
  who?.admin ? `/console/services/${name}` : `/console/docs/${name}`;

export const mountOf = (name: string): string => services.value.find((one) => one.name === name)?.mount ?? "";
