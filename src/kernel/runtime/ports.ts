/** Connects the ports of services, once for each instance, on first use of each port. */
import type { Context } from "../operation/context.ts";
import type { Port } from "../operation/port.ts";
import type { Service } from "../operation/service.ts";
import { WorkContext } from "./context.ts";

export class Ports {
  readonly #services: readonly Service[];
  /** What was made of the offers, by the name of the port. */
  readonly #made = new Map<string, unknown>();

  constructor(services: readonly Service[]) {
    this.#services = services;
    for (const service of services) this.#refuseUnmatched(service);
  }
  /** Undefined if no mounted service provides it. */
  find<T, Offer>(port: Port<T, Offer>): T | undefined {
    if (!this.#made.has(port.name)) this.#made.set(port.name, this.#make(port));
    return this.#made.get(port.name) as T | undefined;
  }
  isProvided(name: string): boolean {
    return this.#services.some(({ provides }) => provides?.some(({ port }) => port.name === name));
  }
  #make<T, Offer>(port: Port<T, Offer>): unknown {
    const offers = this.#services.flatMap(({ name: service, provides = [] }) =>
      provides
        .filter((one) => one.port.name === port.name)
        .map(({ implement }) => implement((context) => viewOf(context, service)) as Offer),
    );
    if (offers.length === 0) return undefined;
    if (port.join) return port.join(offers);
    if (offers.length > 1) throw new Error(`two services provide ${port.name}`);
    return offers[0];
  }
  #refuseUnmatched({ name, needs = [] }: Service): void {
    for (const port of needs)
      if (!this.isProvided(port.name))
        throw new Error(`${name} needs ${port.name}, which no mounted service provides`);
  }
}

function viewOf(context: Context, service: string): Context {
  if (context instanceof WorkContext) return context.viewOf(service);
  throw new TypeError(`a port of ${service} was given something else than a context of this instance`);
}
