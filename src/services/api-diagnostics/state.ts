/** In-memory state of one running instance: cached settings, queued records and recent calls. */
import type { Context, Instance } from "#kernel/operation";
import { Breakers } from "./gateway/breakers.ts";
import { LogWriter } from "./gateway/log-writer.ts";
import { PolicyMemory } from "./gateway/policy-tools.ts";
import { ServedInstances } from "./gateway/served-instances.ts";
import type { Tables } from "./tables.ts";
import { Traffic } from "./traffic/traffic.ts";

export type State = {
  readonly served: ServedInstances;
  readonly logs: LogWriter;
  readonly traffic: Traffic;
  readonly policies: PolicyMemory;
  readonly breakers: Breakers;
};
export type GatewayContext = Context<Tables, State>;

export const start = (instance: Instance): State => ({
  served: new ServedInstances((account) => instance.workAs("api-diagnostics", account)),
  logs: new LogWriter(instance),
  traffic: new Traffic(),
  policies: new PolicyMemory(instance.clock, instance.outbound),
  breakers: new Breakers(instance.clock),
});
export function forget({ served, traffic, policies, breakers }: State): void {
  breakers.forget();
  served.forget();
  policies.forget();
  traffic.forget();
}
export const stop = ({ logs }: State): Promise<void> => logs.flush();
