/** Shapes that all resource managers share. */
import { type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";

const tagWords = {
  description: "Texts by name, to find and group resources by.",
  examples: [{ stage: "test" }],
};
export const tags = Type.Record(Type.String(), Type.String(), tagWords);
/** In a PATCH, null takes a tag away, or all of them. */
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

const proxyMembers = { id: Type.String(), name: Type.String(), type: Type.String() };

/** The body of a PUT of a resource with location and tags. */
export const trackedBody = <T extends TProperties>(members: T) =>
  Type.Object({ location, tags: Type.Optional(tags), ...members });
/** Such a resource as it is answered. */
export const trackedAnswer = <T extends TProperties>(members: T) =>
  Type.Object({
    ...proxyMembers,
    location: Type.String(),
    tags: Type.Record(Type.String(), Type.String()),
    ...members,
  });
/** A resource without location and tags as it is answered. */
export const proxyAnswer = <T extends TProperties>(members: T) =>
  Type.Object({ ...proxyMembers, ...members });

export const listOf = (item: TSchema): TObject =>
  Type.Object({ value: Type.Array(item), nextLink: Type.Optional(Type.String()) });

/** One of these words; nothing else. */
export const oneOf = <const T extends readonly [string, ...string[]]>(...words: T) =>
  Type.Unsafe<T[number]>(Type.Union(words.map((word) => Type.Literal(word))));

/** The version is checked before, so that the error can name those there are. */
export const apiVersionQuery = <T extends TProperties>(members?: T, example?: string) =>
  Type.Object({
    "api-version": Type.String(example === undefined ? {} : { examples: [example] }),
    ...((members ?? {}) as T),
  });

export const operationStatus = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: oneOf("InProgress", "Succeeded", "Failed", "Canceled"),
  startTime: Type.String(),
  endTime: Type.Optional(Type.String()),
  percentComplete: Type.Integer(),
  error: Type.Optional(
    Type.Object({ code: Type.String(), message: Type.String(), details: Type.Optional(Type.Unknown()) }),
  ),
});
