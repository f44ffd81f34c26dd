/** Records each answered request: metrics, the record of the tests and the request log. */
import type { IncomingMessage } from "node:http";
import { isConsoleTraffic } from "../observe/console-traffic.ts";
import type { Phases } from "../observe/phases.ts";
import type { Principal } from "../operation/context.ts";
import type { Kernel } from "../runtime/kernel.ts";
import type { IncomingBody } from "./incoming-body.ts";
import type { Found, Located } from "./mounts.ts";
import type { Outgoing } from "./respond.ts";

export type Answered = {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly phases: Phases;
  /** Both are unknown if the request was refused earlier. */
  readonly located: Located | undefined;
  readonly route: Found["route"] | undefined;
  readonly principal: Principal;
  readonly received: IncomingBody["logged"];
  readonly status: number;
  readonly answerHeaders: Outgoing["headers"];
  readonly answerBody: Uint8Array | string | undefined;
};

/** A failure here is only logged. It never changes the answer. */
export function observeSafely(kernel: Kernel, id: string, note: () => void): void {
  try {
    note();
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    kernel.log.error("a request could not be noted", { id, error: text });
  }
}
export const observe = (kernel: Kernel, answered: Answered): void =>
  observeSafely(kernel, answered.id, () => note(kernel, answered));

function note(kernel: Kernel, answered: Answered): void {
  const { id, request, phases, located, route, principal, received, status } = answered;
  const { metrics, minutes, recorder, requestLog, clock } = kernel;
  const durationMs = performance.now() - phases.startedMs;
  const operation = route?.compiled.operation;
  const service = route?.service.name ?? located?.mount.label ?? "";
  metrics.request(operation?.id ?? "none", status, durationMs / 1000);
  minutes.request(service || "none", status, durationMs);
  if (operation) recorder?.note(operation.id, status);
  requestLog.add({
    id,
    atMs: clock.nowMs(),
    durationMs,
    method: request.method ?? "GET",
    url: request.url ?? "/",
    service,
    operation,
    account: principal.account || undefined,
    caller: principal.name,
    credentialKind: principal.credentialKind,
    isConsole: isConsoleTraffic(principal.credentialKind, service, operation, request.headers),
    phases,
    status,
    requestHeaders: request.headers,
    ...received,
    answerHeaders: answered.answerHeaders,
    answerBody: answered.answerBody,
  });
}
