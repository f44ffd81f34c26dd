/** OpenAPI 3.1 from declarations. */

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { TSchema } from "@sinclair/typebox";
import { packageVersion } from "../manifest/version.ts";
import { makeRoom } from "../memory/index.ts";
import { isNoBody, jsonShapeOf, mediaTypesOf } from "../operation/answers.ts";
import type { ErrorKind } from "../operation/errors.ts";
import { anyone, type BodyKind, type Operation } from "../operation/operation.ts";
import { operationCountOf, type Service } from "../operation/service.ts";
import type { SharedWords } from "../operation/shared-words.ts";
import { findErrorShape } from "../protocols/protocol.ts";
import { runAtOnce, runInSteps } from "../workers/yielding.ts";
import { Components } from "./components.ts";
import { descriptionOf } from "./derived-description.ts";
import { findSavedDocument } from "./saved-documents.ts";
import { type Json, requiredOf, schemaOf } from "./schema.ts";
import { withSharedWords, withWords, wordsOf } from "./words.ts";

/** As in package.json. */
const LICENSE = "Apache-2.0";
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

/** One operation as the document has it, with nothing shared. */
export const openApiOperationOf = (service: Service, operation: Operation): Json =>
  operationOf(service, operation, sharedWordsOf(service));

/** Shared descriptions: of the protocol, and of the service. */
const sharedWordsOf = ({ protocol, sharedWords }: Service): SharedWords => ({
  ...protocol.sharedWords,
  ...sharedWords,
});

function operationOf(service: Service, operation: Operation, sharedWords: SharedWords): Json {
  const parameters = [
    ...pathParametersOf(operation, sharedWords),
    ...parametersOf("query", operation.query, sharedWords, operation.examples?.query),
    ...parametersOf("header", operation.headers, sharedWords, operation.examples?.headers),
  ];
  const requestBody = bodyOf(operation, sharedWords);
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: descriptionOf(service, operation),
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

const NAMES = /\{(\w+)\}/g;
/** Paths that differ only in the names of parameters are one path in the document, with the names of the first. */
class Templates {
  readonly #known = new Map<string, string>();
  add(path: string): { readonly path: string; renamed(operation: Json): Json } {
    const shape = path.replace(NAMES, "{}");
    const first = this.#known.get(shape) ?? path;
    this.#known.set(shape, first);
    if (first === path) return { path, renamed: (operation) => operation };
    const [own, known] = [path, first].map((one) => [...one.matchAll(NAMES)].map(([, name]) => name));
    const nameOf = (name: unknown) => known?.[own?.indexOf(String(name)) ?? -1] ?? name;
    const parameterOf = (one: Json) => (one.in === "path" ? { ...one, name: nameOf(one.name) } : one);
    const renamed = (operation: Json) => ({
      ...operation,
      parameters: (operation.parameters as readonly Json[]).map(parameterOf),
    });
    return { path: first, renamed };
  }
}

/** The document as text, made in pieces. Others are served at each yield. */
function* textOf(services: readonly Service[], origin: string): Generator<void, string> {
  const paths: Record<string, Record<string, Json>> = {};
  const securitySchemes: Json = {};
  const components = new Components();
  const templates = new Templates();
  for (const service of services) {
    if (service.protocol.security) securitySchemes[schemeName(service)] = service.protocol.security.scheme;
    const sharedWords = sharedWordsOf(service);
    for (const operation of service.operations) {
      const { path, renamed } = templates.add(
        `${service.mount === "/" ? "" : service.mount}${operation.path}`,
      );
      const made = renamed(operationOf(service, operation, sharedWords));
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: made };
      components.count(made);
      yield;
    }
    yield;
  }
  const [first] = services;
  const isOne = services.length === 1 && first !== undefined;
  const head = {
    openapi: "3.1.0",
    info: {
      title: isOne ? first.title : "Medley",
      version: packageVersion(),
      license: { name: LICENSE, identifier: LICENSE },
      description: isOne ? first.summary : "All services of one Medley process.",
    },
    servers: [{ url: origin }],
    tags: services.map(({ name, summary }) => ({ name, description: summary })),
  };
  const shared = yield* sharedText(paths, components);
  const schemas = yield* membersText(Object.entries(components.schemas));
  const schemes = JSON.stringify(securitySchemes);
  return `${JSON.stringify(head).slice(0, -1)},"paths":${shared},"components":{"schemas":${schemas},"securitySchemes":${schemes}}}`;
}
/** A shape is named after the operation that uses it first. */
function* sharedText(paths: Record<string, Record<string, Json>>, components: Components) {
  const texts: string[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    const shared = Object.entries(methods).map(([method, operation]) => [
      method,
      components.share(operation, String(operation.operationId)),
    ]);
    texts.push(`${JSON.stringify(path)}:${JSON.stringify(Object.fromEntries(shared))}`);
    yield;
  }
  return `{${texts.join(",")}}`;
}
function* membersText(members: readonly [string, unknown][]) {
  const texts: string[] = [];
  for (const [name, value] of members) {
    texts.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    yield;
  }
  return `{${texts.join(",")}}`;
}

export const openApiOf = (services: readonly Service[], origin: string): Json =>
  JSON.parse(runAtOnce(textOf(services, origin))) as Json;

const NO_ADDRESS = '"servers":[{"url":""}]';
const DOCUMENTS_KEPT_MAX = 2;
/** The account in all examples. */
const EXAMPLE_ACCOUNT = "123456789012";
/** `packed` is made on first use, in another thread. */
export type OpenApiDocument = { readonly plain: Uint8Array; packed(): Promise<Uint8Array> };
export type OpenApiBytes = (origin: string, account?: string) => Promise<OpenApiDocument>;
const pack = promisify<Uint8Array, Uint8Array>(gzip);
function documentOf(plain: Uint8Array): OpenApiDocument {
  let packing: Promise<Uint8Array> | undefined;
  return {
    plain,
    packed() {
      packing ??= pack(plain);
      return packing;
    },
  };
}
/**
 * Read or made once at a time, and cached for the last callers. With an account, the examples name that account,
 * because services refuse roles and resources of other accounts.
 */
export function openApiBytesOf(services: readonly Service[]): OpenApiBytes {
  const counted = services.map((one) => {
    const { name, mount } = one;
    return { name, mount, operations: operationCountOf(one) };
  });
  let made: Promise<Buffer> | undefined;
  const kept = new Map<string, OpenApiDocument>();
  let lastMade: Promise<unknown> = Promise.resolve();
  let lastSent = Promise.resolve();
  const document = async () => {
    const saved = made === undefined ? await findSavedDocument(counted) : undefined;
    if (saved !== undefined) return saved;
    made ??= runInSteps(textOf(services, "")).then((text) => Buffer.from(text));
    return made;
  };
  const make = async (key: string, origin: string, account: string) => {
    const known = kept.get(key);
    if (known) return known;
    const address = JSON.stringify({ servers: [{ url: origin }] }).slice(1, -1);
    const addressed = withBytes(await document(), NO_ADDRESS, address);
    const bytes = account === EXAMPLE_ACCOUNT ? addressed : withBytes(addressed, EXAMPLE_ACCOUNT, account);
    makeRoom(kept, DOCUMENTS_KEPT_MAX);
    const made = documentOf(bytes);
    kept.set(key, made);
    return made;
  };
  // Nobody needs a credential to ask. So documents are made one at a time, and sent to one caller in each turn.
  return async (origin, account = EXAMPLE_ACCOUNT) => {
    const key = `${account} ${origin}`;
    let found = kept.get(key);
    if (!found) {
      const making = lastMade.then(() => make(key, origin, account));
      lastMade = making.catch(() => undefined);
      found = await making;
    }
    lastSent = lastSent.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
    await lastSent;
    return found;
  };
}
/** Replaces in bytes, because text of this size takes several times the memory and blocks others longer. */
function withBytes(bytes: Buffer, from: string, to: string): Buffer {
  const parts: Buffer[] = [];
  let start = 0;
  for (let at = bytes.indexOf(from); at !== -1; at = bytes.indexOf(from, start)) {
    parts.push(bytes.subarray(start, at), Buffer.from(to));
    start = at + Buffer.byteLength(from);
  }
  return Buffer.concat([...parts, bytes.subarray(start)]);
}
