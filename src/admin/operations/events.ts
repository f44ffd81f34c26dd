/** Publishes events to functions and other listeners. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { kernelErrors, operationsFor } from "#kernel/operation";
import type { KernelTables } from "#kernel/runtime";
import { type CloudEvent, cloudEvents } from "#ports/cloud-events";
import { ADMIN_PERMISSION } from "../protocol.ts";

const operation = operationsFor<KernelTables>();
const ATTRIBUTE = /^[a-z0-9]{1,100}$/;
const REQUIRED = ["id", "source", "type"] as const;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Supports both HTTP modes: structured (everything in the body) and binary (attributes in headers). */
function eventOf(headers: Headers, body: Record<string, unknown>, nowIso: string): CloudEvent {
  const isBinary = headers["ce-type"] !== undefined;
  const attributes = isBinary
    ? Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          name.startsWith("ce-") ? [[name.slice(3), value]] : [],
        ),
      )
    : body;
  const event = {
    time: nowIso,
    ...attributes,
    ...(isBinary && { datacontenttype: String(headers["content-type"] ?? "application/json"), data: body }),
    specversion: "1.0",
  } as CloudEvent;
  for (const name of REQUIRED)
    if (typeof event[name] !== "string" || event[name] === "")
      throw kernelErrors.invalidInput(`The event has no ${name}.`);
  for (const name of Object.keys(event))
    if (!ATTRIBUTE.test(name))
      throw kernelErrors.invalidInput(`"${name.slice(0, 100)}" is not the name of an attribute.`);
  return event;
}

const publishEvent = operation({
  id: "medley.events.publish",
  summary: "Publishes a CloudEvent",
  description:
    "Functions of the account whose triggers match are called by jobs. Binary and structured mode are accepted. The response has the number of functions; it does not wait for them.",
  method: "POST",
  path: "/events",
  permission: ADMIN_PERMISSION,
  body: Type.Record(Type.String(), Type.Unknown(), {
    description: "The event, or its data where headers hold its attributes.",
    examples: [{ specversion: "1.0", id: "1", source: "/orders", type: "order.placed", data: { total: 3 } }],
  }),
  answers: {
    200: Type.Object({
      functions: Type.Integer({ description: "How many functions will be called.", examples: [1] }),
    }),
  },
  examples: {
    body: { specversion: "1.0", id: "1", source: "/orders", type: "order.placed", data: { total: 3 } },
  },
  async handle({ body }, context) {
    const event = eventOf(context.request.headers, body, isoOf(context.clock.nowMs()));
    return { functions: await context.port(cloudEvents).publish(context, event) };
  },
});
export const eventOperations = [publishEvent];
