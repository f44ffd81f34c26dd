/** Correlation IDs: read from the caller's headers and passed to the backend. */
import { createHash, randomBytes } from "node:crypto";

export type CorrelationProtocol = "None" | "Legacy" | "W3C";
export type Correlation = {
  /** Shared by all calls of one trace. */
  readonly id: string;
  /** ID of the caller's span, if its header has one. */
  readonly parentId?: string;
  /** Header for the backend. It replaces the caller's header. */
  readonly header?: readonly [name: string, value: string];
};

const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
const UNSET = /^0+$/;
const LEGACY_LENGTH_MAX = 1024;
const LEGACY = /^[\x21-\x7e]+$/;
const SPAN_BYTES = 8;
const TRACE_BYTES = 16;
const SAMPLED = "01";
const newSpan = (): string => randomBytes(SPAN_BYTES).toString("hex");

function byTraceContext(given: string | undefined): Correlation {
  const [, trace = "", span = "", flags = SAMPLED] = TRACE_PARENT.exec(given ?? "") ?? [];
  const isKnown = trace !== "" && !UNSET.test(trace) && !UNSET.test(span) && !given?.startsWith("ff");
  const id = isKnown ? trace : randomBytes(TRACE_BYTES).toString("hex");
  return {
    id,
    ...(isKnown && { parentId: span }),
    header: ["traceparent", `00-${id}-${newSpan()}-${isKnown ? flags : SAMPLED}`],
  };
}
/** Legacy `Request-Id` such as `|root.1.2.`: each hop appends its own part. */
function byRequestId(given: string | undefined): Correlation {
  if (given === undefined || given.length > LEGACY_LENGTH_MAX || !LEGACY.test(given)) {
    const id = randomBytes(TRACE_BYTES).toString("hex");
    return { id, header: ["request-id", `|${id}.${newSpan()}.`] };
  }
  const plain = given.startsWith("|") ? given.slice(1) : given;
  const end = plain.search(/[._]/);
  return {
    id: end < 0 ? plain : plain.slice(0, end),
    parentId: given,
    header: [
      "request-id",
      `${given.startsWith("|") ? "" : "|"}${given}${/[._]$/.test(given) ? "" : "."}${newSpan()}_`,
    ],
  };
}

export function correlate(
  protocol: CorrelationProtocol,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  requestId: string,
): Correlation {
  const given = (name: string) => (typeof headers[name] === "string" ? headers[name] : undefined);
  if (protocol === "W3C") return byTraceContext(given("traceparent"));
  if (protocol === "Legacy") return byRequestId(given("request-id"));
  return { id: requestId };
}

const SAMPLED_BYTES = 6;
/** Sampling position from 0 to 100. It is stable for a correlation ID and uniformly distributed. */
export function sampleAt(correlationId: string): number {
  const digest = createHash("sha1").update(correlationId).digest();
  return (digest.readUIntBE(0, SAMPLED_BYTES) / 2 ** (8 * SAMPLED_BYTES)) * 100;
}
