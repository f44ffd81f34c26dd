/** Request and response shapes of backends, which policies route calls to. */
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import { oneOf, proxyAnswer } from "#kernel/resource-provider";
import { type BreakerRule, FAILURE_REASONS } from "../domain/index.ts";
import { nameFilter, removable } from "./shared.ts";

const RULES_MAX = 10;
const text = (maxLength: number, description: string, example: string, minLength = 0): TSchema =>
  Type.String({ minLength, maxLength, description, examples: [example] });
const status = (description: string, example: number) =>
  Type.Integer({ minimum: 200, maximum: 599, description, examples: [example] });

const url = text(2000, "Its address.", "https://orders.example.org/v2", 1);
const protocol: TSchema = { ...oneOf("http", "soap"), description: "What it speaks.", examples: ["http"] };
const rule = Type.Object({
  name: Type.Optional(text(80, "What the rule is called.", "too many failures")),
  failureCondition: Type.Object(
    {
      count: Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: "How many failures trip it.",
        examples: [3],
      }),
      interval: text(30, "Within which time they are counted.", "PT1M", 1),
      statusCodeRanges: Type.Optional(
        Type.Array(Type.Object({ min: status("The first.", 500), max: status("The last.", 599) }), {
          maxItems: 10,
          description: "Statuses that are failures.",
        }),
      ),
      errorReasons: Type.Optional(
        Type.Array(oneOf(...FAILURE_REASONS), {
          maxItems: FAILURE_REASONS.length,
          description: "Other failures: no connection, no answer in time, or any error of the server.",
          examples: [["Timeout"]],
        }),
      ),
    },
    { description: "What counts as a failure, and how many are too many." },
  ),
  tripDuration: text(30, "How long the backend is then left alone.", "PT1M", 1),
  acceptRetryAfter: Type.Optional(
    Type.Boolean({ description: "Whether its own Retry-After counts instead.", examples: [true] }),
  ),
});
const settingsWith = (optional: (schema: TSchema) => TSchema): TProperties => ({
  title: optional(text(300, "What people call it.", "Orders")),
  description: optional(text(2000, "What it is for.", "Keeps the orders.")),
  resourceId: optional(text(2000, "The resource that it is.", "https://management.example.org/orders")),
  type: optional({ ...oneOf("Single"), description: "What kind of backend it is.", examples: ["Single"] }),
  circuitBreaker: optional(
    Type.Object(
      {
        rules: Type.Optional(
          Type.Array(rule, { maxItems: RULES_MAX, description: "Each trips it by itself." }),
        ),
      },
      { description: "When it is left alone for a while." },
    ),
  ),
});
const values = (description: string) =>
  Type.Optional(
    Type.Record(
      Type.String({ maxLength: 256 }),
      Type.Array(Type.String({ maxLength: 4000, examples: ["{{orders-key}}"] }), { maxItems: 10 }),
      { maxProperties: 20, description, examples: [{ "x-key": ["{{orders-key}}"] }] },
    ),
  );
const credentials = Type.Object(
  {
    header: values("Headers that go with each request."),
    query: values("Parameters that go with each request."),
    authorization: Type.Optional(
      Type.Object(
        {
          scheme: text(100, "The scheme.", "Basic", 1),
          parameter: text(4000, "What follows it.", "YW5uOnNlY3JldA==", 1),
        },
        { description: "The Authorization header." },
      ),
    ),
  },
  { description: "What the backend asks for. Kept sealed, and not shown." },
);
const words = { description: "Where the backend is, and how it is treated." };
const given = { credentials: Type.Optional(secret(credentials)) };

export const backendBody = Type.Object({
  properties: Type.Object({ url, protocol, ...settingsWith(Type.Optional), ...given }, words),
});
export const backendPatch = Type.Object({
  properties: Type.Optional(
    Type.Object(
      { url: Type.Optional(url), protocol: Type.Optional(protocol), ...settingsWith(removable), ...given },
      words,
    ),
  ),
});
export const backendAnswer = proxyAnswer({
  properties: Type.Object({ url, protocol, ...settingsWith(Type.Optional) }, words),
});
export const backendFilter = nameFilter("backends", "orders");
export type BackendCredentials = {
  readonly header?: Readonly<Record<string, readonly string[]>>;
  readonly query?: Readonly<Record<string, readonly string[]>>;
  readonly authorization?: { readonly scheme: string; readonly parameter: string };
};
export type BackendProperties = {
  readonly url: string;
  readonly credentials?: BackendCredentials;
  readonly circuitBreaker?: { readonly rules?: readonly BreakerRule[] };
};
