/** Request and response shapes of policy documents. */
import { Type } from "@sinclair/typebox";
import { oneOf, proxyAnswer } from "#kernel/resource-provider";
import { POLICY_LENGTH_MAX } from "../domain/index.ts";

const EXAMPLE = "<policies><inbound><base /></inbound></policies>";
const format = {
  ...oneOf("xml", "rawxml"),
  description: "Whether the quotes and signs of its expressions are escaped (xml) or not (rawxml).",
  examples: ["rawxml"],
};
const properties = Type.Object(
  {
    value: Type.String({
      minLength: 1,
      maxLength: POLICY_LENGTH_MAX,
      description: "The document.",
      examples: [EXAMPLE],
    }),
    format: Type.Optional(format),
  },
  { description: "What the gateway does with calls." },
);
export const policyBody = Type.Object({ properties });
export const policyQuery = Type.Object({ format: Type.Optional(format) });
export const policyAnswer = proxyAnswer({ properties });
export type PolicyProperties = { readonly value: string; readonly format?: "xml" | "rawxml" };
