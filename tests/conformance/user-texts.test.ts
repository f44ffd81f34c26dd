/** Texts of users are never respelt: every word of every dialect, as key and value of their maps and in their texts. */
import type { TSchema } from "@sinclair/typebox";
import { describe, expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import type { Dialect } from "../../src/kernel/dialects/index.ts";
import { joinDialects } from "../../src/kernel/dialects/join.ts";
import type { Operation, Service } from "../../src/kernel/operation/index.ts";
import { textMapsOf } from "../../src/kernel/shape/text-maps.ts";
import { onBothDatabases } from "../support/medley.ts";

const SIGNED_WORDS = ["arn:aws:s3:::a", "arn:vendor:s3:::a", "AWS::S3::Bucket", "Vendor::S3::Bucket"];
/** All that the dialect would say otherwise, in both spellings. */
const dictionaryOf = ({ table }: Dialect): string[] => {
  if (!table) return SIGNED_WORDS;
  const tables = [table.fields, table.values, table.pathWords, table.headers, table.answerHeaders];
  const names = [...(table.valueFields ?? []), ...(table.answerValueFields ?? []), ...(table.valuesOf ?? [])];
  return [...new Set([...tables.flatMap((one) => Object.entries(one ?? {}).flat()), ...names])];
};
const services = await loadServices();
const mountOf = ({ mount }: Service): string => JSON.stringify(mount);
/** With all words of the mount, as requests meet them. */
const spoken = services
  .filter(({ dialects = [] }) => dialects.length > 0)
  .map((service) => {
    const beside = services.filter((other) => mountOf(other) === mountOf(service));
    return { service, dialects: joinDialects(beside.flatMap(({ dialects = [] }) => dialects)) };
  });

const shapesOf = ({ body, answers }: Operation): TSchema[] => [
  ...(body ? [body] : []),
  ...(Object.values(answers) as TSchema[]),
];
/** Members that are texts and nothing more is said of them. */
function freeTextsOf(shapes: readonly TSchema[]): Set<string> {
  const found = new Set<string>();
  const walk = (schema: TSchema): void => {
    for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, TSchema>)) {
      const { type, pattern, format, enum: words } = member;
      if (type === "string" && pattern === undefined && format === undefined && !words) found.add(name);
      walk(member);
    }
    if (schema.items) for (const item of [schema.items].flat() as TSchema[]) walk(item);
    for (const part of (schema.anyOf ?? schema.allOf ?? []) as TSchema[]) walk(part);
  };
  for (const shape of shapes) walk(shape);
  return found;
}
/** Under whichever name. */
const holds = (body: unknown, value: unknown): boolean =>
  Object.values(body as object).some((one) => JSON.stringify(one) === JSON.stringify(value));

describe("what users wrote passes every dialect as it is", () => {
  it.each(spoken.map((one) => [one.service.name, one] as const))("%s", (_name, { service, dialects }) => {
    const problems: string[] = [];
    for (const dialect of dialects)
      for (const operation of service.operations) {
        const maps = textMapsOf(shapesOf(operation));
        const words = dictionaryOf(dialect);
        const map = Object.fromEntries(words.map((word) => [word, words.join(" ")]));
        const tell = (what: string, name: string) => problems.push(`${operation.id}: ${name} ${what}`);
        const inBothWays = (name: string, value: unknown, what: string) => {
          const body = { [name]: value };
          if (!holds(dialect.neutralBody(operation.id, body, maps), value))
            tell(`${what} when it comes`, name);
          if (!holds(dialect.makersBody(operation.id, 0, body, {}, maps), value))
            tell(`${what} when it is read`, name);
        };
        for (const name of maps) {
          inBothWays(name, map, "is respelt");
          const isMakersName = dialect.table?.fields?.[name] !== undefined;
          if (!isMakersName && dialect.detectBody({ [name]: map }, maps))
            tell("decides on the spelling", name);
        }
        const { valueFields = [], answerValueFields = [], valuesOf = [] } = dialect.table ?? {};
        const names = new Set([...valueFields, ...answerValueFields, ...valuesOf]);
        for (const name of dialect.table ? freeTextsOf(shapesOf(operation)) : [])
          if (!names.has(name)) for (const word of words) inBothWays(name, word, `loses ${word}`);
      }
    expect([...new Set(problems)]).toEqual([]);
  });
});

onBothDatabases(
  "what users wrote is kept",
  (instance) => {
    const words = [
      ...new Set(spoken.flatMap(({ dialects }) => dialects).flatMap((dialect) => dictionaryOf(dialect))),
    ].filter((word) => /^[\w.-]{1,100}$/.test(word));
    const chunks = Array.from({ length: Math.ceil(words.length / 14) }, (_, at) =>
      words.slice(at * 14, at * 14 + 14),
    );
    it("in tags of resources, in both spellings", async () => {
      const version = "api-version=2017-10-01-preview";
      const ours = `/management/subscriptions/texts/resourceGroups/g/providers/Vendor.Sql/servers/s?${version}`;
      const makers = ours.replace("Vendor.", "Microsoft.");
      for (const chunk of chunks) {
        const tags = Object.fromEntries(chunk.map((word) => [word, `${word} Vendor.Sql Microsoft.Sql`]));
        for (const written of [ours, makers]) {
          const put = await instance().bearer("PUT", written, { body: { location: "westeurope", tags } });
          expect([put.status < 300, put.text]).toEqual([true, put.text]);
          expect(put.body.tags).toEqual(tags);
          for (const read of [ours, makers])
            expect((await instance().bearer("GET", read)).body.tags).toEqual(tags);
        }
      }
    });
    it("in titles and descriptions of lists, in both spellings", async () => {
      for (const [title, description] of words.map((word) => [word, `of ${word}`] as const)) {
        const body = { title, description, source_url: "", podcast_ids: [] };
        const made = await instance().send("POST", "/podcasts/api/v2/curated_podcasts", {
          headers: { "x-vendor-api-key": "first-api-key-0001" },
          body,
        });
        expect(made.status, made.text).toBeLessThan(300);
        for (const header of ["x-vendor-api-key", "x-listenapi-key"]) {
          const read = await instance().send("GET", `/podcasts/api/v2/curated_podcasts/${made.body.id}`, {
            headers: { [header]: "first-api-key-0001" },
          });
          expect(read.body).toMatchObject({ title, description });
        }
      }
    });
  },
  { services: ["podcasts", "sql-databases", "resource-manager"], provisioningSeconds: 0 },
);
