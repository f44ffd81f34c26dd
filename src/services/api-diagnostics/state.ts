/** What one running instance keeps in memory: settings of what was called lately, records on their way, the last calls. */
import type { Context, Instance } from "#kernel/operation";
import { LogWriter } from "./gateway/log-writer.ts";
import { ServedInstances } from "./gateway/served.ts";
import type { Tables } from "./tables.ts";
import { Traffic } from "./traffic/traffic.ts";

export type State = {
  readonly served: ServedInstances;
  readonly logs: LogWriter;
  readonly traffic: Traffic;
};
export type GatewayContext = Context<Tables, State>;

export const start = (instance: Instance): State => ({
  served: new ServedInstances((account) => instance.workAs("api-diagnostics", account)),
  logs: new LogWriter(instance),
  traffic: new Traffic(),
});
export function forget({ served, traffic }: State): void {
  served.forget();
  traffic.forget();
}
export const stop = ({ logs }: State): Promise<void> => logs.flush();
