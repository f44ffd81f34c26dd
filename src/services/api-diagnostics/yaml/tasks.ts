/** Messages between the main thread and the YAML workers. */
export type YamlWork =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "write"; readonly value: unknown };
export type YamlText = { readonly text: string };
