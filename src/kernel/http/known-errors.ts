/** Errors of an answer: whether an operation declares them, how its service names them, and those of faults. */
import type { FaultRule } from "../observe/faults.ts";
import { type ErrorKind, ServiceError, sameKind } from "../operation/errors.ts";
import type { Operation } from "../operation/operation.ts";
import type { Service } from "../operation/service.ts";

class InjectedFault extends ServiceError {}

const RETRY_SECONDS = "1";
const LATER: ReadonlySet<number> = new Set([429, 503]);

/** The error that a rule causes; undefined if it only delays. `unavailable`: the service's name for that error. */
export function findFault(
  rule: FaultRule,
  unavailable: readonly [code: string, status: number],
): ServiceError | undefined {
  if (rule.status === undefined && rule.error === undefined) return undefined;
  const [code, usual] = unavailable;
  const status = rule.status ?? usual;
  const headers = { ...(LATER.has(status) && { "retry-after": RETRY_SECONDS }), ...rule.headers };
  return new InjectedFault(
    { code: rule.error ?? code, status },
    rule.message ?? "This failure was asked for by a fault rule.",
    { headers },
  );
}

export function isDeclared(error: ServiceError, operation: Operation, service: Service): boolean {
  const { kind } = error;
  if (kind.kernel !== undefined || error instanceof InjectedFault) return true;
  const declared: readonly ErrorKind[] = [
    ...(operation.errors ?? []),
    ...(service.protocol.authenticationErrors ?? []),
  ];
  return declared.some((one) => sameKind(one, kind));
}

const PASSING: ReadonlySet<string | undefined> = new Set(["throttled", "timedOut", "unavailable"]);
/** A temporary error says when to retry, if it has not done so already. */
export const retryHeaders = ({ kernel }: ErrorKind): Readonly<Record<string, string>> =>
  PASSING.has(kernel) ? { "retry-after": RETRY_SECONDS } : {};

/** The service or its protocol decides the names of the kernel's errors. */
export function nameOf(
  kind: ErrorKind,
  service: Service | undefined,
): readonly [code: string, status: number] {
  if (kind.kernel === undefined) return [kind.code, kind.status];
  return (
    service?.errorNames?.[kind.kernel] ??
    service?.protocol.errorNames[kind.kernel] ?? [kind.code, kind.status]
  );
}
