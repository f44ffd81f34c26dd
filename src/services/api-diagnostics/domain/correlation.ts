/** Calls that belong together carry the same mark: read from the caller, handed on to the backend. */
import { createHash, randomBytes } from "node:crypto";

export type CorrelationProtocol = "None" | "Legacy" | "W3C";
export type Correlation = {
  /** The same for all calls that belong together. */
  readonly id: string;
  /** Of the caller's own call, where it says so. */
  readonly parentId?: string;
  /** What the backend is told instead of what the caller said. */
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
/** `|root.1.2.` of the older protocol: each adds its own part at the end. */
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
/** Where in a hundred a call lies: the same for the same mark, and even over many of them. */
export function sampleAt(correlationId: string): number {
  const digest = createHash("sha1").update(correlationId).digest();
  return (digest.readUIntBE(0, SAMPLED_BYTES) / 2 ** (8 * SAMPLED_BYTES)) * 100;
}
