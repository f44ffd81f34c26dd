/** What one running instance keeps in memory: settings of what was called lately, records on their way, the last calls. */
import type { Context, Instance } from "#kernel/operation";
import { LogWriter } from "./gateway/log-writer.ts";
import { PolicyMemory } from "./gateway/policy-tools.ts";
import { ServedInstances } from "./gateway/served.ts";
import type { Tables } from "./tables.ts";
import { Traffic } from "./traffic/traffic.ts";

export type State = {
  readonly served: ServedInstances;
  readonly logs: LogWriter;
  readonly traffic: Traffic;
  readonly policies: PolicyMemory;
};
export type GatewayContext = Context<Tables, State>;

export const start = (instance: Instance): State => ({
  served: new ServedInstances((account) => instance.workAs("api-diagnostics", account)),
  logs: new LogWriter(instance),
  traffic: new Traffic(),
  policies: new PolicyMemory(instance.clock, instance.outbound),
});
export function forget({ served, traffic, policies }: State): void {
  served.forget();
  policies.forget();
  traffic.forget();
}
export const stop = ({ logs }: State): Promise<void> => logs.flush();
