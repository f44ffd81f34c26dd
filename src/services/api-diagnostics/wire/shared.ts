/** Shapes that several resource types share. */
import { type TObject, type TSchema, Type } from "@sinclair/typebox";

/** In a PATCH, null removes a setting. */
export const removable = (schema: TSchema): TSchema => Type.Optional(Type.Union([schema, Type.Null()]));

export const nameFilter = (things: string, example: string): TObject =>
  Type.Object({
    $filter: Type.Optional(
      Type.String({
        maxLength: 4000,
        description: `Which ${things} to list, by their names, as an OData expression.`,
        examples: [`name eq '${example}'`],
      }),
    ),
  });
