/** Request and response shapes of named values. */
import { Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import { proxyAnswer } from "#kernel/resource-provider";
import { nameFilter } from "./shared.ts";

const displayName = Type.String({
  pattern: "^[A-Za-z0-9._-]{1,256}$",
  description: "The name that stands in policies, between {{ and }}.",
  examples: ["backend-key"],
});
const value = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: "What stands for it.",
  examples: ["open sesame"],
});
const more = {
  secret: Type.Optional(
    Type.Boolean({ description: "Whether it is shown only by listValue.", examples: [true] }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 160, examples: ["shop"] }), {
      maxItems: 32,
      description: "Words to find it by.",
    }),
  ),
};
const words = { description: "A value that policies name." };
/** Always stored encrypted, even if the value is not secret. */
const given = secret(value);

export const namedValueBody = Type.Object({
  properties: Type.Object({ displayName, value: Type.Optional(given), ...more }, words),
});
export const namedValuePatch = Type.Object({
  properties: Type.Optional(
    Type.Object({ displayName: Type.Optional(displayName), value: Type.Optional(given), ...more }, words),
  ),
});
export const namedValueAnswer = proxyAnswer({
  properties: Type.Object({ displayName, value: Type.Optional(value), ...more }, words),
});
export const namedValueSecret = Type.Object({ value: Type.Optional(value) });
export const namedValueFilter = nameFilter("named values", "backend-key");
export type NamedValueProperties = {
  readonly displayName: string;
  readonly value?: string;
  readonly secret?: boolean;
};
