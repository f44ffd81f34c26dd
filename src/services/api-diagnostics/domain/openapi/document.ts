/** Types of an API that is read from or written to an OpenAPI document. */

export type ApiParameter = {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly defaultValue?: string;
  readonly values?: readonly string[];
  readonly schemaId?: string;
  readonly typeName?: string;
};
export type Representation = {
  readonly contentType: string;
  readonly schemaId?: string;
  readonly typeName?: string;
  readonly examples?: Readonly<Record<string, unknown>>;
};
export type OperationRequest = {
  readonly description?: string;
  readonly queryParameters?: readonly ApiParameter[];
  readonly headers?: readonly ApiParameter[];
  readonly representations?: readonly Representation[];
};
export type OperationResponse = {
  readonly statusCode: number;
  readonly description?: string;
  readonly headers?: readonly ApiParameter[];
  readonly representations?: readonly Representation[];
};
export type OperationDetails = {
  readonly displayName: string;
  readonly method: string;
  readonly urlTemplate: string;
  readonly description?: string;
  readonly templateParameters?: readonly ApiParameter[];
  readonly request?: OperationRequest;
  readonly responses?: readonly OperationResponse[];
};
export type NamedOperation = OperationDetails & { readonly id: string };
export type Schemas = Readonly<Record<string, unknown>>;
export type DescribedApi = {
  readonly displayName: string;
  readonly description?: string;
  readonly serviceUrl?: string;
  readonly operations: readonly NamedOperation[];
  readonly schemas: Schemas;
};

export class DocumentError extends Error {}
export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
export type Json = Readonly<Record<string, unknown>>;
export const isMap = (value: unknown): value is Json =>
  value !== null && typeof value === "object" && !Array.isArray(value);
export const textIn = (from: Json, name: string): string | undefined =>
  typeof from[name] === "string" ? from[name] : undefined;
/** Omits undefined members. */
export const withoutNothing = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
