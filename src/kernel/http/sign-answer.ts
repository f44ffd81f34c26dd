/** Signs answers for protocols that require it. */
import type { Service } from "../operation/service.ts";
import type { Protocol } from "../protocols/protocol.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { keptBodyOf, type Outgoing } from "./respond.ts";

type Signed = NonNullable<Protocol["signAnswer"]>;

/** If signing fails, the answer is sent unsigned. The caller sees that the signature is missing. */
export function signAnswer(
  kernel: Kernel,
  service: Service | undefined,
  protocol: Protocol | undefined,
  call: Parameters<Signed>[0],
  outgoing: Outgoing,
): Promise<Readonly<Record<string, string>>> | undefined {
  const body = protocol?.signAnswer && keptBodyOf(outgoing);
  if (body === undefined) return undefined;
  const state = service && kernel.stateOf(service.name);
  return protocol?.signAnswer?.(call, body, state)?.catch((error: unknown) => {
    kernel.log.error("an answer was not signed", { id: call.id, error: String(error) });
    return {};
  });
}
