/** Answers that a protocol signs. */
import type { Service } from "../operation/service.ts";
import type { Protocol } from "../protocols/protocol.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { keptBodyOf, type Outgoing } from "./respond.ts";

type Signed = NonNullable<Protocol["signAnswer"]>;

/** An answer that cannot be vouched for is still an answer: the caller sees that its signature is missing. */
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
