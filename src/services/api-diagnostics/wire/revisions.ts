/** Request and response shapes of API revisions, releases and schemas. */
import { type TSchema, Type } from "@sinclair/typebox";
import { listOf, proxyAnswer } from "#kernel/resource-provider";
import { nameFilter } from "./shared.ts";

const text = (description: string, example: string): TSchema =>
  Type.String({ description, examples: [example] });
const instant = (description: string) => text(description, "2026-01-02T03:04:05.678Z");
const flag = (description: string, example: boolean): TSchema =>
  Type.Boolean({ description, examples: [example] });

export const revisionList = listOf(
  Type.Object({
    apiId: text("The revision's own path.", "/apis/orders;rev=2"),
    apiRevision: text("Its number.", "2"),
    createdDateTime: instant("When it was made."),
    updatedDateTime: instant("When it was changed last."),
    description: Type.Optional(text("What is new in it.", "Orders have a state.")),
    privateUrl: text("Where it answers whether it is the current one or not.", "/orders;rev=2"),
    isOnline: flag("Whether the gateway serves it.", true),
    isCurrent: flag("Whether it is the one that answers at the API's own path.", false),
  }),
);

const apiId = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: "The revision that becomes the current one.",
  examples: ["/apis/orders;rev=1"],
});
const notes = Type.Optional(
  Type.String({
    maxLength: 8000,
    description: "What changes for callers.",
    examples: ["Orders have a state."],
  }),
);
const words = { description: "What is released." };
export const releaseBody = Type.Object({ properties: Type.Object({ apiId, notes }, words) });
export const releasePatch = Type.Object({
  properties: Type.Optional(Type.Object({ apiId: Type.Optional(apiId), notes }, words)),
});
export const releaseAnswer = proxyAnswer({
  properties: Type.Object(
    {
      apiId,
      notes,
      createdDateTime: instant("When it was released."),
      updatedDateTime: instant("When that was changed last."),
    },
    words,
  ),
});
export const releaseFilter = nameFilter("releases", "spring");
export type ReleaseProperties = { readonly apiId: string; readonly notes?: string };

const schemaProperties = Type.Object(
  {
    contentType: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "What kind of schemas they are.",
      examples: ["application/vnd.oai.openapi.components+json"],
    }),
    document: Type.Object(
      {
        components: Type.Object(
          {
            schemas: Type.Record(Type.String({ maxLength: 300 }), Type.Unknown(), {
              maxProperties: 2000,
              description: "The schemas by their names.",
              examples: [{ Order: { type: "object" } }],
            }),
          },
          { description: "As in an OpenAPI document." },
        ),
      },
      { description: "The schemas." },
    ),
  },
  { description: "Schemas that the operations of an API name." },
);
export const schemaBody = Type.Object({ properties: schemaProperties });
export const schemaAnswer = proxyAnswer({ properties: schemaProperties });
export const schemaFilter = nameFilter("schemas", "imported");
export type SchemaProperties = {
  readonly contentType: string;
  readonly document: { readonly components: { readonly schemas: Readonly<Record<string, unknown>> } };
};
