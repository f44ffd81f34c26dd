/** What OpenAPI tells its readers: every parameter, and every member of a body and of an answer, has a description and an example. */
import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import sketchbook from "../../src/examples/sketchbook/index.ts";
import warehousing from "../../src/examples/warehousing/index.ts";
import { openApiOf } from "../../src/kernel/openapi/index.ts";
import { findExample, sharedExampleOf } from "../../src/kernel/openapi/words.ts";
import { jsonShapeOf } from "../../src/kernel/operation/answers.ts";
import type { Service } from "../../src/kernel/operation/index.ts";
import { type Instance, startInstance } from "../support/medley.ts";

type Schema = {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly example?: unknown;
};
type Described = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

function resolved({ components }: Document, schema: Schema): Schema {
  const { $ref, ...beside } = schema;
  return $ref === undefined ? schema : { ...components.schemas[$ref.split("/").at(-1) ?? ""], ...beside };
}
const choicesOf = ({ oneOf = [], anyOf = [], allOf = [] }: Schema): readonly Schema[] => [
  ...oneOf,
  ...anyOf,
  ...allOf,
];
/** At every depth, with where they stand. */
function* membersOf(document: Document, schema: Schema, place = ""): Generator<[string, Schema]> {
  const shape = resolved(document, schema);
  for (const [name, raw] of Object.entries(shape.properties ?? {})) {
    yield [`${place}${name}`, resolved(document, raw)];
    yield* membersOf(document, raw, `${place}${name}.`);
  }
  if (shape.items) yield* membersOf(document, shape.items, `${place}[].`);
  for (const part of [...choicesOf(shape), ...Object.values(shape.patternProperties ?? {})])
    yield* membersOf(document, part, place);
}
const isDescribed = (document: Document, schema: Schema): boolean =>
  Boolean(schema.description) || choicesOf(schema).some((part) => resolved(document, part).description);
/** By an example of its own, by a default or a choice of words, or by what its parts tell. */
function tellsExample(document: Document, raw: Schema): boolean {
  const schema = resolved(document, raw);
  const { examples = [], properties = {}, items, type } = schema;
  if (examples.length > 0 || schema.default !== undefined) return true;
  if (schema.const !== undefined || schema.enum || type === "boolean" || type === "null") return true;
  const parts = [...Object.values(properties), ...(items ? [items] : [])];
  const choices = choicesOf(schema).filter((part) => resolved(document, part).type !== "null");
  return [...parts, ...choices].some((part) => tellsExample(document, part));
}
/** Names of what lacks either, with the operation they are met in. */
function undescribed(document: Document): string[] {
  const lacking = new Set<string>();
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const note = (what: string, isWhole: boolean) => {
      if (!isWhole) lacking.add(`${operation.operationId}: ${what}`);
    };
    const noteMembers = (what: string, content: Content = {}) => {
      for (const { schema } of Object.values(content))
        for (const [name, member] of membersOf(document, schema)) {
          note(`${what} ${name} has no description`, isDescribed(document, member));
          note(`${what} ${name} has no example`, tellsExample(document, member));
        }
    };
    for (const { in: place, name, description, example } of operation.parameters ?? [])
      note(`${place} ${name}`, Boolean(description) && example !== undefined);
    noteMembers("body", operation.requestBody?.content);
    for (const [status, { content }] of Object.entries(operation.responses))
      noteMembers(`answer ${status}`, content);
  }
  return [...lacking];
}

const services = [...(await loadServices()), sketchbook, warehousing];
it.each(services.map((service) => [service.name, service] as const))(
  "OpenAPI describes %s",
  (_name, service) => {
    expect(undescribed(openApiOf([service], "") as Document)).toEqual([]);
  },
);
it("notices members that say nothing, wherever they are", () => {
  const [service] = services;
  const silent = Type.Object({
    list: Type.Array(Type.Object({ inside: Type.String() }), { description: "Some." }),
    told: Type.Boolean({ description: "Whether." }),
  });
  const lacking = undescribed(
    openApiOf(
      [
        {
          ...(service as Service),
          sharedWords: {},
          operations: [
            {
              id: "odd.put",
              summary: "Puts something odd.",
              method: "PUT",
              path: "/odd",
              permission: "odd:Put",
              body: silent,
              answers: { 200: silent },
              handle: () => ({}),
            },
          ],
        },
      ],
      "",
    ) as Document,
  );
  expect(lacking).toEqual([
    "odd.put: body list has no example",
    "odd.put: body list.[].inside has no description",
    "odd.put: body list.[].inside has no example",
    "odd.put: answer 200 list has no example",
    "odd.put: answer 200 list.[].inside has no description",
    "odd.put: answer 200 list.[].inside has no example",
  ]);
});

/** Every schema inside that has examples. */
function* exemplified(value: unknown): Generator<TSchema> {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray((value as TSchema).examples)) yield value as TSchema;
  for (const [name, member] of Object.entries(value)) if (name !== "examples") yield* exemplified(member);
}
it("examples fit the declarations they stand at", () => {
  const wrong = services.flatMap(({ operations }) =>
    operations.flatMap(({ id, params, query, headers, body, answers }) =>
      [...exemplified([params, query, headers, body, answers])].flatMap((schema) =>
        schema.examples
          .filter((example: unknown) => !Value.Check(schema, example))
          .map((example: unknown) => `${id}: ${JSON.stringify(example)}`),
      ),
    ),
  );
  expect(wrong).toEqual([]);
});

/** Every member inside, by its name. */
function* namedMembers(schema: TSchema | undefined): Generator<[string, TSchema]> {
  if (schema === undefined) return;
  for (const [name, member] of Object.entries<TSchema>(schema.properties ?? {})) {
    yield [name, member];
    yield* namedMembers(member);
  }
  const parts = [schema.items, jsonShapeOf(schema), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  for (const part of [...parts, ...Object.values<TSchema>(schema.patternProperties ?? {})])
    yield* namedMembers(part);
}
it("examples that members of a name share fit each that says none itself", () => {
  const wrong = services.flatMap(({ operations, protocol, sharedWords }) => {
    const shared = { ...protocol.sharedWords, ...sharedWords };
    return operations.flatMap(({ id, params, query, headers, body, answers }) =>
      [params, query, headers, body, ...Object.values(answers)]
        .flatMap((schema) => [...namedMembers(schema)])
        .flatMap(([name, member]) => {
          const example =
            findExample(member) === undefined ? sharedExampleOf(member, shared[name]) : undefined;
          return example === undefined || Value.Check(member, example) ? [] : [`${id}: ${name}`];
        }),
    );
  });
  expect(wrong).toEqual([]);
});

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ on: "sqlite", recordFolder: undefined });
});
afterAll(() => instance.stop());
it("OpenAPI describes the admin interface", async () => {
  const { text } = await instance.send("GET", "/_medley/openapi.json", {});
  const { paths, components } = JSON.parse(text) as Document;
  const own = Object.entries(paths).filter(([path]) => path.startsWith("/_medley"));
  expect(own.length).toBeGreaterThan(10);
  expect(undescribed({ paths: Object.fromEntries(own), components })).toEqual([]);
});
