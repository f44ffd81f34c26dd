/** Matches what services offer each other, once for each running instance. */
import type { Context } from "../operation/context.ts";
import type { Port } from "../operation/port.ts";
import type { Service } from "../operation/service.ts";
import { WorkContext } from "./context.ts";

type Offered = { readonly port: Port<unknown>; readonly offers: readonly unknown[] };

export function matchPorts(services: readonly Service[]): ReadonlyMap<string, unknown> {
  const ports = new Map<string, Offered>();
  for (const { name, provides = [] } of services) {
    const own = (context: Context) => viewOf(context, name);
    for (const { port, implement } of provides) {
      const { offers } = ports.get(port.name) ?? { offers: [] };
      ports.set(port.name, { port, offers: [...offers, implement(own)] });
    }
  }
  for (const service of services) refuseUnmatched(service, ports);
  return new Map([...ports].map(([name, offered]) => [name, joined(offered)]));
}
function joined({ port, offers }: Offered): unknown {
  if (port.join) return port.join(offers);
  if (offers.length > 1) throw new Error(`two services provide ${port.name}`);
  return offers[0];
}
function refuseUnmatched({ name, needs = [] }: Service, ports: ReadonlyMap<string, Offered>): void {
  for (const port of needs)
    if (!ports.has(port.name))
      throw new Error(`${name} needs ${port.name}, which no mounted service provides`);
}

function viewOf(context: Context, service: string): Context {
  if (context instanceof WorkContext) return context.viewOf(service);
  throw new TypeError(`a port of ${service} was given something else than a context of this instance`);
}
