/** Descriptions of members by name, declared once for a protocol or a service instead of in every shape. */
import type { TSchema } from "@sinclair/typebox";

/** By the name of the parameter or member. The example is used if it has the member's type. */
export type SharedWords = Readonly<
  Record<string, { readonly description?: string; readonly example?: unknown }>
>;

/** The descriptions of the members of these shapes, for members of the same names elsewhere; the first wins. */
export function wordsFrom(...shapes: readonly TSchema[]): SharedWords {
  const members = shapes.flatMap(({ properties = {} }) =>
    Object.entries(properties as Record<string, TSchema>),
  );
  return Object.fromEntries(
    members
      .reverse()
      .map(([name, { description, examples }]) => [
        name,
        { ...(description !== undefined && { description }), ...(examples && { example: examples[0] }) },
      ]),
  );
}
