/** What passes between the main thread and the threads for YAML. */
export type YamlTask =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "write"; readonly value: unknown };
/** `problem`: why the document cannot be read. */
export type YamlResult = { readonly text: string } | { readonly problem: string };
