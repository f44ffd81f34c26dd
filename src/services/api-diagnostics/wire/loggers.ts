/** Request and response shapes of loggers. */
import { type TSchema, Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import { oneOf, proxyAnswer } from "#kernel/resource-provider";
import { nameFilter } from "./shared.ts";

export const LOGGER_TYPES = ["azureEventHub", "applicationInsights", "azureMonitor"] as const;
export type LoggerType = (typeof LOGGER_TYPES)[number];

const loggerType: TSchema = {
  ...oneOf(...LOGGER_TYPES),
  description: "Where it writes to.",
  examples: ["applicationInsights"],
};
const credentials = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 4000 }), {
  maxProperties: 20,
  description: "What it needs to write there: an instrumentation key, or a name and a connection string.",
  examples: [{ instrumentationKey: "11111111-2222-4333-8444-555555555555" }],
});
const members = {
  description: Type.Optional(
    Type.String({ maxLength: 256, description: "What it is for.", examples: ["All calls of the shop."] }),
  ),
  isBuffered: Type.Optional(
    Type.Boolean({ description: "Whether records wait for a moment to go together.", examples: [true] }),
  ),
  resourceId: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: "The resource that it writes to.",
      examples: ["/subscriptions/demo/resourceGroups/apis/providers/Vendor.Insights/components/shop"],
    }),
  ),
};
const words = { description: "Where the records go." };

/** Stored encrypted. Responses show only the names. */
const given = { credentials: Type.Optional(secret(credentials)) };

export const loggerBody = Type.Object({
  properties: Type.Object({ loggerType, ...members, ...given }, words),
});
export const loggerPatch = Type.Object({
  properties: Type.Optional(
    Type.Object({ loggerType: Type.Optional(loggerType), ...members, ...given }, words),
  ),
});
export const loggerAnswer = proxyAnswer({
  properties: Type.Object({ loggerType, ...members, credentials: Type.Optional(credentials) }, words),
});
export const loggerFilter = nameFilter("loggers", "insights");
export type LoggerProperties = {
  readonly loggerType: LoggerType;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly isBuffered?: boolean;
};
