/** Live view of an instance's gateway traffic, with the log decisions of its diagnostics. */
import { Type } from "@sinclair/typebox";
import { pageFrom } from "#kernel/html";
import type { Operation } from "#kernel/operation";
import type { Action } from "#kernel/resource-provider";
import { renderTrafficPage } from "../traffic/page.ts";
import type { Traffic } from "../traffic/traffic.ts";
import type { InstanceProperties } from "../wire/instances.ts";

const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const number = (description: string, example: number) => Type.Number({ description, examples: [example] });
const kept = Type.Object({
  diagnostic: text("The diagnostic.", "applicationinsights"),
  of: text("Whether it is the instance's or the API's own.", "instance"),
  logger: text("Where its records go.", "/subscriptions/demo/…/loggers/insights"),
  isLogged: Type.Boolean({ description: "Whether the call was logged.", examples: [true] }),
  why: text("What decided that.", "every call is logged"),
  record: Type.Optional(Type.Unknown({ description: "What was kept of it.", examples: [{}] })),
});
const entry = Type.Object({
  number: number("Numbers the calls of this node.", 1),
  time: text("When it was over.", "2026-01-02T03:04:05.678Z"),
  method: text("Its method.", "GET"),
  url: text("Its address.", "http://127.0.0.1:4020/gateway/shop/orders"),
  status: number("What it was answered with.", 200),
  ms: number("How long it took.", 3.2),
  backendMs: number("How long the backend took.", 2.9),
  api: text("The API that it was for; empty where there is none.", "orders"),
  operation: text("Its operation.", "read-order"),
  problem: text("What went wrong; empty where nothing did.", "Timeout"),
  policies: Type.Array(
    Type.Object({
      scope: text("The level whose document has it: service, api or operation.", "api"),
      section: text("The section.", "inbound"),
      policy: text("The policy.", "set-header"),
      effect: text("What it did.", "X-Shop"),
    }),
    { description: "What each policy did, in order." },
  ),
  kept: Type.Array(kept, { description: "What each diagnostic decided." }),
});

export const showTraffic: Action<InstanceProperties> = {
  name: "traffic",
  summary: "Lists the last gateway calls of an instance on this node.",
  description:
    "The last 200 calls are kept in memory and are lost at a restart. Each entry has the effect of each policy and the decision of each diagnostic. Poll with `after` set to the last number.",
  method: "GET",
  permission: "traffic/read",
  query: Type.Object({
    after: Type.Optional(
      Type.Integer({ minimum: 0, description: "Only calls after this one, by number.", examples: [0] }),
    ),
  }),
  answers: { 200: Type.Object({ value: Type.Array(entry, { description: "The calls, in order." }) }) },
  exclusive: false,
  handle: ({ resource, query }, context) => ({
    value: (context.state as { traffic: Traffic }).traffic.after(resource.key, query.after ?? 0),
  }),
};

export const TRAFFIC_PATH = "/gateway-traffic";
/** The page asks for a token in the browser, so the operation itself is public. */
export const trafficPage: Operation = {
  id: "api-diagnostics.traffic-page",
  summary: "Shows a page with the live traffic of a gateway",
  description: "The page polls `api-diagnostics.instances.traffic` with the token that is entered on it.",
  ...pageFrom(renderTrafficPage),
  path: TRAFFIC_PATH,
  tags: ["additional"],
};
