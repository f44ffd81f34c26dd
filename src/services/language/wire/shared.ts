/** Shapes that many operations share, spelt as clients spell them. */
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";

export const Guid = Type.String({ format: "uuid", examples: ["5f1c1c2d-3e4f-4b52-8a34-4a3e9c8b0f0b"] });
/** The number of an utterance, phrase list, sub-list or item within a version. */
export const Count = Type.Integer({ examples: [7] });
export const ApplicationParams = Type.Object({ appId: Guid });
export const VersionName = Type.String({ minLength: 1, maxLength: 100 });
export const VersionParams = Type.Object({ appId: Guid, versionId: VersionName });
export const versionParams = <P extends TProperties>(properties: P) =>
  Type.Object({ appId: Guid, versionId: VersionName, ...properties });

export const Paging = Type.Object({
  skip: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: "How many to pass over.",
    examples: [0],
  }),
  take: Type.Integer({
    minimum: 0,
    maximum: 500,
    default: 100,
    description: "How many to answer at the most.",
    examples: [100],
    // `bf luis:version:list` sends `take=100]`.
    "x-strays": ["]"],
  }),
});
export const Taking = Type.Pick(Paging, ["take"]);

export const Status = Type.Object({
  code: Type.Union([Type.Literal("Success"), Type.Literal("Failed"), Type.Literal("FAILED")]),
  message: Type.String(),
});
export const SUCCESS = { code: "Success", message: "Operation Successful" } as const;

/** An object that may hold others of its kind, down to a level. */
export function nested<P extends TProperties>(properties: P, levels: number): TSchema {
  return levels === 1
    ? Type.Object(properties)
    : Type.Object({ ...properties, children: Type.Optional(Type.Array(nested(properties, levels - 1))) });
}
