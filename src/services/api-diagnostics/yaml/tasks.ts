/** What passes between the main thread and the threads for YAML. */
import type { ThreadMeter } from "#kernel/workers";

export type YamlWork =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "write"; readonly value: unknown };
export type YamlTask = YamlWork & { readonly meter: ThreadMeter };
/** `problem`: why the document cannot be read. */
export type YamlResult = { readonly text: string } | { readonly problem: string };
