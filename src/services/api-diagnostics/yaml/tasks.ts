/** Messages between the main thread and the YAML workers. */
import type { ThreadMeter } from "#kernel/workers";

export type YamlWork =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "write"; readonly value: unknown };
export type YamlTask = YamlWork & { readonly meter: ThreadMeter };
/** `problem`: the parse error. */
export type YamlResult = { readonly text: string } | { readonly problem: string };
