/** The parts of an OpenAPI document that forms are made from. */

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly description?: string;
  readonly format?: string;
  readonly contentEncoding?: string;
};
export type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
};
type Media = { readonly schema?: Schema; readonly example?: unknown };
export type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
  readonly "x-permission"?: string;
};
export type Callable = { readonly method: string; readonly path: string; readonly operation: Described };
export type ServiceDocument = {
  readonly callables: readonly Callable[];
  readonly resolve: (schema: Schema) => Schema;
};
