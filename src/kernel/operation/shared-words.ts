/** What members of a name mean wherever they appear: said once for a protocol or a service, not at every shape. */
import type { TSchema } from "@sinclair/typebox";

/** By the name of the parameter or member. The example counts where it is of the member's type. */
export type SharedWords = Readonly<
  Record<string, { readonly description?: string; readonly example?: unknown }>
>;

/** The words of shapes' own members, for those of the same names in other shapes; the first to name one counts. */
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
