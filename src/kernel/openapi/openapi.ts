/** OpenAPI 3.1 from declarations. */
import type { TSchema } from "@sinclair/typebox";
import { packageVersion } from "../manifest/version.ts";
import { isNoBody, jsonShapeOf, mediaTypesOf } from "../operation/answers.ts";
import type { ErrorKind } from "../operation/errors.ts";
import { anyone, type BodyKind, type Operation } from "../operation/operation.ts";
import type { Service } from "../operation/service.ts";
import type { SharedWords } from "../operation/shared-words.ts";
import { findErrorShape } from "../protocols/protocol.ts";
import { othersTurn } from "../workers/others-turn.ts";
import { Components } from "./components.ts";
import { type Json, requiredOf, schemaOf } from "./schema.ts";
import { withSharedWords, withWords, wordsOf } from "./words.ts";

const MEDIA_OF_KIND: Record<BodyKind, string> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
  binary: "application/octet-stream",
  text: "text/plain",
  stream: "application/octet-stream",
};

function parametersOf(
  place: "path" | "query" | "header",
  schema: TSchema | undefined,
  shared: SharedWords,
  examples: Readonly<Record<string, unknown>> = {},
): Json[] {
  const properties: Record<string, TSchema> = schema?.properties ?? {};
  const required = schema ? requiredOf(schema, "request") : [];
  return Object.entries(properties).map(([name, member]) => {
    const plain = schemaOf(member, "request");
    return {
      name,
      in: place,
      required: place === "path" || required.includes(name),
      schema: plain,
      ...wordsOf(plain, shared[name], examples[name]),
    };
  });
}
function pathParametersOf({ path, params, examples }: Operation, shared: SharedWords): Json[] {
  const declared = parametersOf("path", params, shared, examples?.params);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return names.map(
    (name) =>
      declared.find((parameter) => parameter.name === name) ?? {
        name,
        in: "path",
        required: true,
        schema: { type: "string" },
        ...wordsOf({}, shared[name], examples?.params?.[name]),
      },
  );
}

function bodyOf(
  { body, bodyKinds = ["json"], bodyOptional, examples }: Operation,
  shared: SharedWords,
): Json | undefined {
  if (!body) return undefined;
  const schema = withWords(withSharedWords(schemaOf(body, "request"), shared), shared, examples?.body);
  const content = Object.fromEntries(
    bodyKinds.map((kind) => [
      MEDIA_OF_KIND[kind],
      { schema, ...(examples?.body !== undefined && { example: examples.body }) },
    ]),
  );
  return { required: !bodyOptional, content };
}

function answersOf(service: Service, operation: Operation, shared: SharedWords): Json {
  const answers: Json = {};
  for (const [status, schema] of Object.entries(operation.answers))
    answers[status] = answerOf(Number(status), schema, operation, shared);
  const failures = new Map<number, string[]>();
  const note = ({ code, status }: ErrorKind) => failures.set(status, [...(failures.get(status) ?? []), code]);
  for (const error of operation.errors ?? []) note(error);
  const namesOf = { ...service.protocol.errorNames, ...service.errorNames };
  const general =
    operation.permission === anyone
      ? (["invalidInput", "unavailable"] as const)
      : (["invalidInput", "unauthenticated", "forbidden", "unavailable"] as const);
  for (const name of general) note({ code: namesOf[name][0], status: namesOf[name][1] });
  const { mediaType, schema } = findErrorShape(service.protocol, operation) ?? {
    mediaType: "application/json",
    schema: service.protocol.errorSchema,
  };
  for (const [status, codes] of failures) {
    answers[status] ??= {
      description: [...new Set(codes)].join(", "),
      content: { [mediaType]: { schema } },
    };
  }
  return answers;
}
function answerOf(status: number, schema: TSchema, { examples }: Operation, shared: SharedWords): Json {
  const description =
    schema.description ?? (status === 202 ? "Accepted." : status >= 300 ? "Redirect." : "Success.");
  if (isNoBody(schema)) return { description };
  const json = (shape: TSchema) => ({
    schema: withSharedWords(schemaOf(shape, "answer"), shared),
    ...(examples?.answer !== undefined && { example: examples.answer }),
  });
  const media = mediaTypesOf(schema);
  if (!media) return { description, content: { "application/json": json(schema) } };
  const shape = jsonShapeOf(schema);
  return {
    description,
    content: Object.fromEntries(
      media.map((type) => [
        type,
        shape && type === "application/json" ? json(shape) : { schema: { type: "string" } },
      ]),
    ),
  };
}

/** What is said once: of the protocol's names, and of the service's own. */
const sharedWordsOf = ({ protocol, sharedWords }: Service): SharedWords => ({
  ...protocol.sharedWords,
  ...sharedWords,
});

function operationOf(service: Service, operation: Operation): Json {
  const sharedWords = sharedWordsOf(service);
  const parameters = [
    ...pathParametersOf(operation, sharedWords),
    ...parametersOf("query", operation.query, sharedWords, operation.examples?.query),
    ...parametersOf("header", operation.headers, sharedWords, operation.examples?.headers),
  ];
  const requestBody = bodyOf(operation, sharedWords);
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    tags: [service.name],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: answersOf(service, operation, sharedWords),
    security: securityOf(service, operation),
    ...(operation.permission !== anyone && { "x-permission": operation.permission }),
  };
}
function securityOf(service: Service, operation: Operation): Json[] {
  const { permission, credentialOptional, notesCallers } = operation;
  if ((permission === anyone && !notesCallers) || !service.protocol.security) return [];
  return [...(credentialOptional || notesCallers ? [{}] : []), { [schemeName(service)]: [] }];
}
const schemeName = (service: Service): string =>
  `${service.name}-${service.protocol.security?.name ?? "none"}`;

/** In steps, so that others can be served between them. */
function* building(services: readonly Service[], origin: string): Generator<undefined, Json> {
  const paths: Record<string, Json> = {};
  const securitySchemes: Json = {};
  for (const service of services) {
    if (service.protocol.security) securitySchemes[schemeName(service)] = service.protocol.security.scheme;
    for (const operation of service.operations) {
      const path = `${service.mount === "/" ? "" : service.mount}${operation.path}`;
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationOf(service, operation) };
      yield;
    }
  }
  const components = new Components();
  const shared = yield* sharing(paths, components);
  const [first] = services;
  return {
    openapi: "3.1.0",
    info: {
      title: services.length === 1 && first ? first.title : "Medley",
      version: packageVersion(),
      description: services.length === 1 && first ? first.summary : "All services of one Medley process.",
    },
    servers: [{ url: origin }],
    tags: services.map(({ name, summary }) => ({ name, description: summary })),
    paths: shared,
    components: { schemas: components.schemas, securitySchemes },
  };
}

export function openApiOf(services: readonly Service[], origin: string): Json {
  const steps = building(services, origin);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Names come of the operation that uses a shape first. */
function* sharing(paths: Record<string, Json>, components: Components): Generator<undefined, Json> {
  for (const methods of Object.values(paths)) {
    components.count(methods);
    yield;
  }
  const shared: Record<string, Json> = {};
  for (const [path, methods] of Object.entries(paths)) {
    shared[path] = Object.fromEntries(
      Object.entries(methods as Record<string, Json>).map(([method, operation]) => [
        method,
        components.share(operation, String(operation.operationId)),
      ]),
    );
    yield;
  }
  return shared;
}

const NO_ADDRESS = '"servers":[{"url":""}]';
const DOCUMENTS_KEPT_MAX = 8;
/** The account in all examples. */
const EXAMPLE_ACCOUNT = "123456789012";
/** So long at once; the whole takes more than a second. */
const SLICE_MS = 10;
/** The document as text, made while others are served. */
async function textOf(services: readonly Service[]): Promise<string> {
  const turns = new Slices();
  const steps = building(services, "");
  let step = steps.next();
  for (; !step.done; step = steps.next()) await turns.others();
  const { paths, components, ...rest } = step.value;
  const { schemas, ...otherComponents } = components as Json;
  const joined = async (members: unknown): Promise<string> => {
    const parts: string[] = [];
    for (const [name, member] of Object.entries(members as Json)) {
      parts.push(`${JSON.stringify(name)}:${JSON.stringify(member)}`);
      await turns.others();
    }
    return `{${parts.join(",")}}`;
  };
  const beginning = JSON.stringify(rest).slice(0, -1);
  const ending = JSON.stringify(otherComponents).slice(1);
  return `${beginning},"paths":${await joined(paths)},"components":{"schemas":${await joined(schemas)},${ending}}`;
}
class Slices {
  #sinceMs = performance.now();
  async others(): Promise<void> {
    if (performance.now() - this.#sinceMs < SLICE_MS) return;
    await othersTurn();
    this.#sinceMs = performance.now();
  }
}
export type OpenApiBytes = (origin: string, account?: string) => Promise<Uint8Array>;
/**
 * Made once, because that takes a while, and kept for those who asked for it last. With an account, examples name that one: roles
 * and resources of another account are refused by services.
 */
export function openApiBytesOf(services: readonly Service[]): OpenApiBytes {
  let making: Promise<string> | undefined;
  const kept = new Map<string, Uint8Array>();
  return async (origin, account = EXAMPLE_ACCOUNT) => {
    const key = `${account} ${origin}`;
    const known = kept.get(key);
    if (known) return known;
    making ??= textOf(services);
    const text = await making;
    const address = JSON.stringify({ servers: [{ url: origin }] }).slice(1, -1);
    const bytes = Buffer.from(
      text.replace(NO_ADDRESS, () => address).replaceAll(EXAMPLE_ACCOUNT, () => account),
    );
    if (kept.size === DOCUMENTS_KEPT_MAX) kept.clear();
    kept.set(key, bytes);
    return bytes;
  };
}
