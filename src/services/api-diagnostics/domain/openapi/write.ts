/** Writes an API as an OpenAPI 3 document. */
import {
  type ApiParameter,
  type Json,
  METHODS,
  type NamedOperation,
  type OperationDetails,
  type Representation,
  type Schemas,
  withoutNothing,
} from "./document.ts";

const VERSION = "3.0.1";
type Written = {
  readonly displayName: string;
  readonly description?: string | undefined;
  readonly version: string;
  readonly serverUrl: string;
  readonly operations: readonly NamedOperation[];
  readonly schemas: Schemas;
};

const referenceTo = (typeName: string): Json => ({ $ref: `#/components/schemas/${typeName}` });
function schemaOf({ type, typeName, defaultValue, values }: ApiParameter, schemas: Schemas): Json {
  if (typeName !== undefined && Object.hasOwn(schemas, typeName)) return referenceTo(typeName);
  const typed = (text: string): unknown =>
    type === "integer" || type === "number" ? Number(text) : type === "boolean" ? text === "true" : text;
  return withoutNothing({
    enum: values?.map(typed),
    type,
    default: defaultValue === undefined ? undefined : typed(defaultValue),
  });
}
function contentOf(
  representations: readonly Representation[] | undefined,
  schemas: Schemas,
): Json | undefined {
  if (representations === undefined) return undefined;
  return Object.fromEntries(
    representations.map(({ contentType, typeName, examples }) => [
      contentType,
      withoutNothing({
        schema:
          typeName !== undefined && Object.hasOwn(schemas, typeName) ? referenceTo(typeName) : undefined,
        examples,
      }),
    ]),
  );
}
function parametersOf(operation: OperationDetails, schemas: Schemas): readonly Json[] | undefined {
  const of = (place: string, given: readonly ApiParameter[] = []): Json[] =>
    given.map((parameter) =>
      withoutNothing({
        name: parameter.name,
        in: place,
        description: parameter.description,
        required: place === "path" ? true : parameter.required,
        schema: schemaOf(parameter, schemas),
      }),
    );
  const all = [
    ...of("path", operation.templateParameters),
    ...of("query", operation.request?.queryParameters),
    ...of("header", operation.request?.headers),
  ];
  return all.length === 0 ? undefined : all;
}
function responsesOf({ responses = [] }: OperationDetails, schemas: Schemas): Json {
  if (responses.length === 0) return { 200: { description: "" } };
  return Object.fromEntries(
    responses.map(({ statusCode, description = "", headers, representations }) => [
      String(statusCode),
      withoutNothing({
        description,
        headers:
          headers &&
          Object.fromEntries(
            headers.map((header) => [
              header.name,
              withoutNothing({ description: header.description, schema: schemaOf(header, schemas) }),
            ]),
          ),
        content: contentOf(representations, schemas),
      }),
    ]),
  );
}
function operationOf(operation: NamedOperation, operationId: string, schemas: Schemas): Json {
  const { request } = operation;
  const content = contentOf(request?.representations, schemas);
  return withoutNothing({
    summary: operation.displayName,
    description: operation.description,
    operationId,
    parameters: parametersOf(operation, schemas),
    requestBody: content && withoutNothing({ description: request?.description, content }),
    responses: responsesOf(operation, schemas),
  });
}

export function writeOpenApi(api: Written): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of api.operations) {
    const [path = "/"] = operation.urlTemplate.split("?", 1);
    // A document lists each method separately. An operation for all methods is written as the common four.
    const isOpen = operation.method === "*";
    for (const method of isOpen ? METHODS.slice(0, 4) : [operation.method.toLowerCase()]) {
      paths[path] ??= {};
      paths[path][method] = operationOf(
        operation,
        isOpen ? `${operation.id}-${method}` : operation.id,
        api.schemas,
      );
    }
  }
  return withoutNothing({
    openapi: VERSION,
    info: withoutNothing({ title: api.displayName, description: api.description, version: api.version }),
    servers: [{ url: api.serverUrl }],
    paths,
    components: Object.keys(api.schemas).length === 0 ? undefined : { schemas: api.schemas },
  });
}
