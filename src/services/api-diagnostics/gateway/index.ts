/** Gateway of an instance: forwards each call and logs it as its diagnostics require. */
import type { Gateway } from "#kernel/operation";
import { decide, gatewayLogOf } from "../domain/index.ts";
import type { GatewayContext } from "../state.ts";
import { bodyOf, notFound } from "./answers.ts";
import { CallUnderWay } from "./call.ts";
import type { Served } from "./served.ts";

/** Other addresses are invalid and not looked up. */
const ADDRESS = /^[a-z][a-z0-9-]{0,60}$/;

function log(call: CallUnderWay, served: Served, { state, clock }: GatewayContext): void {
  const seen = call.seen(clock.nowMs());
  const kept = call.watches.map(({ name, of, settings, logger }) => {
    const decision = decide(settings, seen);
    const record = decision.isLogged ? gatewayLogOf(seen, settings) : undefined;
    const measured = settings.metrics
      ? { api: seen.api?.id ?? "", status: seen.status, ms: seen.ms, backendMs: seen.backend?.ms ?? 0 }
      : undefined;
    if (record || measured) state.logs.add(served.account, logger, record, measured);
    return { diagnostic: name, of, logger: logger.id, ...decision, ...(record && { record }) };
  });
  state.traffic.add(served.key, seen, kept);
}

export const gateway: Gateway = {
  id: "api-diagnostics.gateway",
  path: "/gateway",
  hostLabel: "api",
  async pass(passing, context) {
    const own = context as GatewayContext;
    const address = passing.target.toLowerCase();
    const served = ADDRESS.test(address) ? await own.state.served.find(address) : undefined;
    if (!served) {
      passing.answer(404, { "content-type": "application/json" }, bodyOf(notFound()));
      return;
    }
    const onBehalf = passing.contextOf(served.account);
    const call = new CallUnderWay(passing, served, own.state.breakers);
    await call.run(own.outbound, own.config.gatewayTimeoutSeconds * 1000, own.state.policies, onBehalf);
    log(call, served, own);
  },
};
