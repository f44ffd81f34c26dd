/** What OpenAPI tells its readers: every parameter and every member of a body has a description and an example. */
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import sketchbook from "../../src/examples/sketchbook/index.ts";
import warehousing from "../../src/examples/warehousing/index.ts";
import { openApiOf } from "../../src/kernel/openapi/index.ts";
import { type Instance, startInstance } from "../support/medley.ts";

type Schema = {
  readonly $ref?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
};
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly example?: unknown;
};
type Described = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

function resolved({ components }: Document, schema: Schema): Schema {
  const { $ref, ...beside } = schema;
  return $ref === undefined ? schema : { ...components.schemas[$ref.split("/").at(-1) ?? ""], ...beside };
}
function* membersOf(document: Document, body: Schema): Generator<[string, Schema]> {
  const { properties = {}, oneOf = [], anyOf = [] } = resolved(document, body);
  for (const [name, member] of Object.entries(properties)) yield [name, resolved(document, member)];
  for (const branch of [...oneOf, ...anyOf]) yield* membersOf(document, branch);
}
/** At every depth, with where they stand. */
function* allMembersOf(document: Document, body: Schema, place = ""): Generator<[string, Schema]> {
  for (const [name, member] of membersOf(document, body)) {
    yield [`${place}${name}`, member];
    yield* allMembersOf(document, member, `${place}${name}.`);
    if (member.items) yield* allMembersOf(document, member.items, `${place}${name}[].`);
  }
}
const isDescribed = (document: Document, { description, anyOf = [] }: Schema): boolean =>
  Boolean(description) || anyOf.some((branch) => resolved(document, branch).description);
/** Names of what lacks either, with the operation they are met in. */
function undescribed(document: Document): string[] {
  const lacking: string[] = [];
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const note = (what: string, isWhole: boolean) => {
      if (!isWhole) lacking.push(`${operation.operationId}: ${what}`);
    };
    for (const { in: place, name, description, example } of operation.parameters ?? [])
      note(`${place} ${name}`, Boolean(description) && example !== undefined);
    for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
      for (const [name, { description, examples = [] }] of membersOf(document, schema))
        note(`body ${name}`, Boolean(description) && examples.length > 0);
  }
  return lacking;
}

const services = [...(await loadServices()), sketchbook, warehousing];
it.each(services.map((service) => [service.name, service] as const))(
  "OpenAPI describes %s",
  (_name, service) => {
    expect(undescribed(openApiOf([service], "") as Document)).toEqual([]);
  },
);

it.each(services.map((service) => [service.name, service] as const))(
  "OpenAPI describes what is inside the bodies of %s",
  (_name, service) => {
    const document = openApiOf([service], "") as Document;
    const lacking = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, requestBody }) =>
        Object.values(requestBody?.content ?? {})
          .flatMap(({ schema }) => [...allMembersOf(document, schema)])
          .filter(([, member]) => !isDescribed(document, member))
          .map(([name]) => `${operationId}: ${name}`),
      );
    expect(lacking).toEqual([]);
  },
);

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
