/**
 * Reads an OpenAPI 3 document: operations and the schemas that they use. References must stay inside the
 * document.
 */
import { Allowance } from "./allowance.ts";
import {
  type ApiParameter,
  type DescribedApi,
  DocumentError,
  isMap,
  type Json,
  METHODS,
  type NamedOperation,
  type OperationRequest,
  type OperationResponse,
  type Representation,
  textIn,
  withoutNothing,
} from "./document.ts";

export const OPERATIONS_MAX = 200;
const REFERENCES_MAX = 20;
const REFERENCE_LENGTH_MAX = 1000;
const SCHEMA_REFERENCE = /^#\/components\/schemas\/([^/]{1,200})$/;
const ID_LENGTH_MAX = 80;
const SIMPLE_MEMBERS = new Set(["type", "default", "enum"]);

class Reader {
  readonly #document: Json;
  /** ID of the schema resource that holds the named schemas. */
  readonly #schemaId: string;
  readonly #schemas: Record<string, unknown>;
  readonly #ids = new Set<string>();
  readonly #allowance = new Allowance();
  /** Number of generated schema names for each wanted name. */
  readonly #sameNamed = new Map<string, number>();
  constructor(document: Json, schemaId: string) {
    this.#document = document;
    this.#schemaId = schemaId;
    const { schemas } = isMap(document.components) ? document.components : {};
    this.#schemas = isMap(schemas) ? { ...schemas } : {};
  }

  api(): DescribedApi {
    const { info, servers, paths } = this.#document;
    if (!isMap(info) || textIn(info, "title") === undefined)
      throw new DocumentError("info.title must be given.");
    if (!isMap(paths)) throw new DocumentError("paths must be an object.");
    const [server] = Array.isArray(servers) ? servers : [];
    const url = isMap(server) ? textIn(server, "url") : undefined;
    const operations = Object.entries(paths).flatMap(([path, item]) => this.#pathItem(path, item));
    return withoutNothing({
      displayName: (textIn(info, "title") ?? "").slice(0, 300),
      description: textIn(info, "description"),
      // A relative URL does not identify the service.
      serviceUrl: url !== undefined && /^https?:\/\//.test(url) ? url : undefined,
      operations,
      schemas: this.#schemas,
    }) as DescribedApi;
  }
  #pathItem(path: string, given: unknown): NamedOperation[] {
    if (path.startsWith("x-")) return [];
    if (!path.startsWith("/")) throw new DocumentError(`The path '${path}' must begin with a slash.`);
    const item = this.#resolved(given, path);
    return METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [this.#operation(path, method, item, operation)];
    });
  }
  #operation(path: string, method: string, item: Json, given: unknown): NamedOperation {
    if (this.#ids.size >= OPERATIONS_MAX)
      throw new DocumentError(`An API has ${OPERATIONS_MAX} operations at the most.`);
    const at = `${method.toUpperCase()} ${path}`;
    const operation = this.#resolved(given, at);
    this.#allowance.take(path);
    const id = this.#newId(
      textIn(operation, "operationId") ?? `${method}${path.replace(/[{}]/g, "").replaceAll("/", "-")}`,
    );
    const parameters = this.#parameters(item.parameters, operation.parameters, at);
    const of = (place: string): ApiParameter[] =>
      parameters.filter((parameter) => parameter.in === place).map((one) => this.#parameter(one, id));
    const request: OperationRequest = withoutNothing({
      ...this.#body(operation.requestBody, id, at),
      queryParameters: filled(of("query")),
      headers: filled(of("header")),
    });
    const details = {
      id,
      displayName: (textIn(operation, "summary") ?? textIn(operation, "operationId") ?? at).slice(0, 300),
      method: method.toUpperCase(),
      urlTemplate: path,
      description: textIn(operation, "description"),
      templateParameters: filled(of("path")),
      request: Object.keys(request).length === 0 ? undefined : request,
      responses: filled(this.#responses(operation.responses, id, at)),
    };
    return withoutNothing(details) as NamedOperation;
  }
  #newId(wanted: string): string {
    const words = wanted.replace(/[^\w.-]+/g, "-").split("-");
    const plain =
      words
        .filter((word) => word !== "")
        .join("-")
        .slice(0, ID_LENGTH_MAX - 5) || "root";
    let id = plain;
    for (let count = 2; this.#ids.has(id.toLowerCase()); count += 1) id = `${plain}-${count}`;
    this.#ids.add(id.toLowerCase());
    return id;
  }
  /** Parameters of an operation override those of its path. */
  #parameters(shared: unknown, own: unknown, at: string): readonly Json[] {
    const byName = new Map<string, Json>();
    for (const given of [...(Array.isArray(shared) ? shared : []), ...(Array.isArray(own) ? own : [])]) {
      const parameter = this.#resolved(given, at);
      byName.set(`${parameter.in} ${parameter.name}`, parameter);
    }
    return [...byName.values()];
  }
  #parameter(given: Json, id: string, name = textIn(given, "name") ?? ""): ApiParameter {
    this.#allowance.take(given);
    const schema = isMap(given.schema) ? given.schema : {};
    const isSimple = Object.keys(schema).every((member) => SIMPLE_MEMBERS.has(member));
    const { default: defaultValue, enum: values } = schema;
    return withoutNothing({
      name,
      type: textIn(schema, "type") ?? "string",
      description: textIn(given, "description"),
      required: given.required === true ? true : undefined,
      defaultValue: defaultValue === undefined ? undefined : String(defaultValue),
      values: Array.isArray(values) ? values.map(String) : undefined,
      ...(!isSimple && this.#named(schema, `${id}-${name}`)),
    });
  }
  #body(given: unknown, id: string, at: string): OperationRequest {
    if (given === undefined) return {};
    const body = this.#resolved(given, at);
    this.#allowance.take(textIn(body, "description"));
    return withoutNothing({
      description: textIn(body, "description"),
      representations: filled(this.#content(body.content, `${id}-request`)),
    });
  }
  #responses(given: unknown, id: string, at: string): OperationResponse[] {
    if (!isMap(given)) return [];
    return Object.entries(given).flatMap(([code, one]) => {
      if (!/^[1-5]\d\d$/.test(code)) return [];
      const response = this.#resolved(one, at);
      this.#allowance.take(textIn(response, "description"));
      const headers = isMap(response.headers)
        ? Object.entries(response.headers).map(([name, header]) =>
            this.#parameter(this.#resolved(header, at), `${id}-${code}`, name),
          )
        : [];
      return [
        withoutNothing({
          statusCode: Number(code),
          description: textIn(response, "description"),
          headers: filled(headers),
          representations: filled(this.#content(response.content, `${id}-${code}`)),
        }),
      ];
    });
  }
  #content(given: unknown, name: string): Representation[] {
    if (!isMap(given)) return [];
    return Object.entries(given).map(([contentType, one]) => {
      this.#allowance.take(one);
      const { schema, examples } = isMap(one) ? one : {};
      const shown = isMap(one) && one.example !== undefined ? { default: { value: one.example } } : undefined;
      return withoutNothing({
        contentType,
        ...(isMap(schema) && this.#named(schema, name)),
        examples: isMap(examples) ? examples : shown,
      });
    });
  }
  /** Reference to a schema. An inline schema gets a generated name. */
  #named(schema: Json, name: string): { schemaId: string; typeName: string } {
    const [, known] = SCHEMA_REFERENCE.exec(textIn(schema, "$ref") ?? "") ?? [];
    if (known !== undefined) return { schemaId: this.#schemaId, typeName: known };
    const plain = name.replace(/[^\w.-]+/g, "-");
    let count = this.#sameNamed.get(plain) ?? 1;
    const typeNameOf = (): string => (count === 1 ? plain : `${plain}-${count}`);
    while (Object.hasOwn(this.#schemas, typeNameOf())) count += 1;
    const typeName = typeNameOf();
    this.#sameNamed.set(plain, count + 1);
    this.#schemas[typeName] = schema;
    return { schemaId: this.#schemaId, typeName };
  }
  #resolved(given: unknown, at: string): Json {
    let value = given;
    for (let count = 0; count < REFERENCES_MAX; count += 1) {
      if (!isMap(value)) throw new DocumentError(`${at}: an object is expected.`);
      const reference = textIn(value, "$ref");
      if (reference === undefined) return value;
      this.#allowance.take(reference);
      value = this.#target(reference, at);
    }
    throw new DocumentError(`${at}: references lead to each other without end.`);
  }
  #target(reference: string, at: string): unknown {
    if (reference.length > REFERENCE_LENGTH_MAX)
      throw new DocumentError(`${at}: a reference has ${REFERENCE_LENGTH_MAX} characters at the most.`);
    if (!reference.startsWith("#/"))
      throw new DocumentError(`${at}: '${reference}' leads out of the document, which is not supported.`);
    let value: unknown = this.#document;
    for (const word of reference.slice(2).split("/")) {
      const name = word.replaceAll("~1", "/").replaceAll("~0", "~");
      value = isMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }
    if (value === undefined) throw new DocumentError(`${at}: there is no '${reference}' in the document.`);
    return value;
  }
}
const filled = <T>(items: readonly T[]): readonly T[] | undefined => (items.length === 0 ? undefined : items);

/** Throws a DocumentError that names the position. */
export function readOpenApi(document: unknown, schemaId: string): DescribedApi {
  if (!isMap(document)) throw new DocumentError("The document must be an object.");
  if (!/^3\.[01]\.\d+/.test(String(document.openapi ?? "")))
    throw new DocumentError("The document must be OpenAPI 3.0 or 3.1: its member 'openapi' says so.");
  return new Reader(document, schemaId).api();
}
