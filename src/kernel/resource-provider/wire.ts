/** Shapes that all resource managers share. */
import { type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";

const tagWords = {
  description: "Texts by name, to find and group resources by.",
  examples: [{ stage: "test" }],
};
export const tags = Type.Record(Type.String(), Type.String(), tagWords);
/** In a PATCH, null removes a tag, or all of them. */
export const tagChanges = Type.Union(
  [Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])), Type.Null()],
  {
    description: "Tags to set; null takes one away, or all of them.",
    examples: [{ stage: "production", owner: null }],
  },
);
export const location = Type.String({
  minLength: 1,
  maxLength: 90,
  pattern: "^[^\\x00-\\x1f]+$",
  description: "Where the resource is.",
  examples: ["westeurope"],
});

const described = <T extends TSchema>(schema: T, words: object): T => ({ ...schema, ...words });
const about = (description: string, example: unknown) => ({ description, examples: [example] });
const proxyMembers = {
  id: Type.String({ description: "The path of the resource below the service." }),
  name: Type.String({ description: "Its name." }),
  type: Type.String({ description: "Its provider and type." }),
};

/** The body of a PUT of a resource with location and tags. */
export const trackedBody = <T extends TProperties>(members: T) =>
  Type.Object({ location, tags: Type.Optional(tags), ...members });
/** Such a resource in an answer. */
export const trackedAnswer = <T extends TProperties>(members: T) =>
  Type.Object({
    ...proxyMembers,
    location: Type.String(about("Where the resource is.", "westeurope")),
    tags,
    ...members,
  });
/** A resource without location and tags in an answer. */
export const proxyAnswer = <T extends TProperties>(members: T) =>
  Type.Object({ ...proxyMembers, ...members });

export const listOf = (item: TSchema): TObject =>
  Type.Object({
    value: Type.Array(item, { description: "The items of this page." }),
    nextLink: Type.Optional(Type.String({ description: "Where the next page is; absent on the last." })),
  });

/** Exactly one of these words. */
export const oneOf = <const T extends readonly [string, ...string[]]>(...words: T) =>
  Type.Unsafe<T[number]>(Type.Union(words.map((word) => Type.Literal(word))));

/** The version is checked earlier, so that the error can name the supported ones. */
export const apiVersionQuery = <T extends TProperties>(members?: T, example?: string) =>
  Type.Object({
    "api-version": Type.String(example === undefined ? {} : { examples: [example] }),
    ...((members ?? {}) as T),
  });

const instant = (description: string) => Type.String(about(description, "2030-01-31T08:00:00Z"));
export const operationStatus = Type.Object({
  id: Type.String({ description: "The path of the operation." }),
  name: Type.String({ description: "Its name." }),
  status: described(oneOf("InProgress", "Succeeded", "Failed", "Canceled"), {
    description: "How far it has come.",
  }),
  startTime: instant("When it began."),
  endTime: Type.Optional(instant("When it ended.")),
  percentComplete: Type.Integer(about("How much of it is done.", 100)),
  error: Type.Optional(
    Type.Object(
      {
        code: Type.String(about("What kind of failure it was.", "Conflict")),
        message: Type.String(about("What went wrong.", "The resource has changed meanwhile.")),
        details: Type.Optional(Type.Unknown({ description: "More about it." })),
      },
      { description: "What it failed with." },
    ),
  ),
});
