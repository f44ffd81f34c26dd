/** OpenAPI as it is sent: made once, with the address it was asked for by. */
import { readFileSync } from "node:fs";
import { type TSchema, Type } from "@sinclair/typebox";
import { expect, it } from "vitest";
import { defineService, type Operation, type Service, secret } from "../operation/index.ts";
import { bearer, plain } from "../protocols/index.ts";
import { byKind, demanded, given, ruled, Shape, words } from "../shape/index.ts";
import { sampleService } from "../testing/index.ts";
import { openApiBytesOf, openApiOf } from "./openapi.ts";
import { schemaOf } from "./schema.ts";

const services = [sampleService({ name: "sample", mount: "/sample", protocol: plain({ scheme: bearer }) })];

it("is the same for everyone but for the address", async () => {
  const bytesOf = openApiBytesOf(services);
  for (const origin of ["http://127.0.0.1:4020", "https://odd.example/$&$'\""])
    expect(Buffer.from((await bytesOf(origin)).plain).toString()).toBe(
      JSON.stringify(openApiOf(services, origin)),
    );
});
it("is made once, and kept for a few addresses", async () => {
  const bytesOf = openApiBytesOf(services);
  const first = await bytesOf("http://first");
  expect(await bytesOf("http://first")).toBe(first);
  for (let i = 0; i < 20; i += 1) await bytesOf(`http://${i}`);
  const again = await bytesOf("http://first");
  expect(again).not.toBe(first);
  expect(again.plain).toEqual(first.plain);
  expect(again.packed()).toBe(again.packed());
});
it("is made while others are served, once for all who ask meanwhile", async () => {
  const many = Array.from({ length: 300 }, (_, index) =>
    sampleService({ name: `sample${index}`, mount: `/sample${index}`, protocol: plain({ scheme: bearer }) }),
  );
  const bytesOf = openApiBytesOf(many);
  let turns = 0;
  let isMade = false;
  const count = (): void => {
    turns += 1;
    if (!isMade) setImmediate(count);
  };
  setImmediate(count);
  const [one, other] = await Promise.all([bytesOf("http://first"), bytesOf("http://first")]);
  isMade = true;
  expect(turns).toBeGreaterThan(3);
  expect(other).toBe(one);
});
it("has the package's version and license", () => {
  const { version, license } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(openApiOf(services, "")).toMatchObject({
    info: { version, license: { name: license, identifier: license } },
  });
});
it("does not ask for members that have a default, and promises them in answers", () => {
  const member = Type.Object({ size: Type.Integer({ default: 3 }), name: Type.String() });
  expect(schemaOf(member, "request").required).toEqual(["name"]);
  expect(schemaOf(member, "answer").required).toEqual(["size", "name"]);
});
it("asks for members whose absence the handler answers for", () => {
  const member = Type.Object({ code: demanded(Type.String()), state: Type.Optional(Type.String()) });
  expect(schemaOf(member, "request").required).toEqual(["code"]);
  expect(new Shape(member).read({}).value).toEqual({});
});
it("tells words, rules, kinds and secrets", () => {
  const shape = ruled(
    byKind("type", [
      Type.Object({ type: words(["Basic"]), password: secret(Type.String()) }),
      Type.Object({ type: words(["None"]), note: given(Type.String()) }),
    ]),
    { name: "odd", says: "must be odd", check: () => true },
  );
  expect(schemaOf(shape, "request")).toMatchObject({
    description: "Must be odd.",
    "x-rules": [{ name: "odd", says: "must be odd" }],
    discriminator: { propertyName: "type" },
    oneOf: [
      { properties: { type: { const: "Basic" }, password: { writeOnly: true } } },
      { properties: { note: { anyOf: [{ type: "string" }, { type: "null" }] } } },
    ],
  });
});
it("describes parameters and members: in their own words, as the schema tells, or as the protocol says of the name", () => {
  const protocol = {
    ...plain({ scheme: bearer }),
    sharedWords: { id: { description: "Which one.", example: "a1" } },
  };
  const service = defineService({
    name: "shelf",
    title: "Shelf",
    summary: "Boxes.",
    mount: "/shelf",
    protocol,
    operations: [
      {
        id: "shelf.put",
        summary: "Puts a box.",
        method: "PUT",
        path: "/boxes/{id}",
        permission: "shelf:Put",
        query: Type.Object({ dry: Type.Boolean({ description: "Only tries." }) }),
        body: Type.Object({
          size: Type.Integer({ default: 3, description: "How wide." }),
          lid: Type.Union([Type.Object({ open: Type.Boolean() }, { description: "On top." }), Type.Null()]),
        }),
        answers: { 200: Type.Object({}) },
        handle: () => ({}),
      },
    ],
  });
  const { paths } = openApiOf([service], "") as { paths: Record<string, object> };
  expect(paths["/shelf/boxes/{id}"]).toMatchObject({
    put: {
      parameters: [
        { name: "id", description: "Which one.", example: "a1" },
        { name: "dry", description: "Only tries.", example: true },
      ],
      requestBody: {
        content: {
          "application/json": {
            schema: {
              properties: {
                size: { description: "How wide.", examples: [3] },
                lid: { description: "On top.", examples: [{ open: true }] },
              },
            },
          },
        },
      },
    },
  });
});
it("says of members at any depth, of bodies and answers, what the service says of their name", () => {
  const inside = Type.Object({
    tags: Type.Array(Type.Object({ key: Type.String(), own: Type.String({ description: "Its own." }) })),
    size: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  });
  const service = defineService({
    name: "shelf",
    title: "Shelf",
    summary: "Boxes.",
    mount: "/shelf",
    protocol: {
      ...plain({ scheme: bearer }),
      sharedWords: { key: { description: "Any key." }, size: { description: "How wide.", example: 3 } },
    },
    sharedWords: {
      tags: { description: "All tags." },
      key: { description: "The tag's name.", example: "stage" },
      own: { description: "Not this.", example: 3 },
    },
    operations: [
      {
        id: "shelf.put",
        summary: "Puts a box.",
        method: "PUT",
        path: "/boxes",
        permission: "shelf:Put",
        body: Type.Object({ box: inside }),
        answers: { 200: Type.Object({ box: inside }) },
        handle: () => ({}),
      },
    ],
  });
  const { paths, components } = openApiOf([service], "") as {
    paths: Record<string, { put: { requestBody: unknown; responses: Record<string, unknown> } }>;
    components: { schemas: Record<string, unknown> };
  };
  const box = {
    properties: {
      tags: {
        description: "All tags.",
        items: {
          properties: {
            key: { description: "The tag's name.", examples: ["stage"] },
            own: { type: "string", description: "Its own." },
          },
        },
      },
      size: { description: "How wide.", examples: [3] },
    },
  };
  const [shared] = Object.values(components.schemas);
  expect(shared).toMatchObject({ properties: { box } });
  const { requestBody, responses } = paths["/shelf/boxes"]?.put ?? { requestBody: {}, responses: {} };
  const reference = { $ref: expect.stringMatching(/^#\/components\/schemas\//) };
  const content = { "application/json": { schema: reference } };
  expect(requestBody).toMatchObject({ content });
  expect(responses["200"]).toMatchObject({ content });
  expect(JSON.stringify(shared)).not.toContain("Not this.");
  // An example of another type than the member's is nobody's.
  expect(JSON.stringify(shared)).toContain('"own":{"description":"Its own.","type":"string"}');
});
it("says once what several operations share", () => {
  const { components, paths } = openApiOf(services, "") as {
    components: { schemas: Record<string, object> };
    paths: object;
  };
  const texts = Object.values(components.schemas).map((shape) => JSON.stringify(shape));
  expect(texts.length).toBeGreaterThan(0);
  expect(new Set(texts).size).toBe(texts.length);
  for (const name of Object.keys(components.schemas))
    expect(
      JSON.stringify([paths, components.schemas]).split(`"#/components/schemas/${name}"`).length,
    ).toBeGreaterThan(2);
});
it("names the kinds that a discriminator chooses among, and none where the member may be missing", () => {
  const box = Type.Object({ type: words(["Box"]), lid: Type.Boolean() });
  const ball = (type: TSchema) => Type.Object({ type, size: Type.Integer() });
  const choices = (some: TSchema, other: TSchema) =>
    Type.Object({ sure: byKind("type", [box, some]), unsure: byKind("type", [box, other]) });
  const [service] = services as [Service];
  const [first] = service.operations as [Operation];
  const withDefault = Type.Literal("Ball", { default: "Ball" });
  const body = choices(ball(words(["Ball", "Globe"])), ball(withDefault));
  const operation = { ...first, id: "shelf.put", method: "PUT", body } as Operation;
  const { components, paths } = openApiOf([{ ...service, operations: [operation] }], "") as {
    components: { schemas: Record<string, object> };
    paths: Record<string, any>;
  };
  const [{ put }] = Object.values(paths) as [any];
  const { sure, unsure } = put.requestBody.content["application/json"].schema.properties;
  const [boxes, balls] = ["ShelfPutBodySureBox", "ShelfPutBodySureBall"].map(
    (name) => `#/components/schemas/${name}`,
  );
  expect(sure.oneOf).toEqual([{ $ref: boxes }, { $ref: balls }]);
  expect(sure.discriminator).toEqual({
    propertyName: "type",
    mapping: { Box: boxes, Ball: balls, Globe: balls },
  });
  expect(components.schemas).toMatchObject({
    ShelfPutBodySureBox: { properties: { lid: { type: "boolean" } }, required: ["type", "lid"] },
    ShelfPutBodySureBall: { properties: { size: { type: "integer" } } },
  });
  expect(unsure).not.toHaveProperty("discriminator");
  expect(unsure.oneOf).toHaveLength(2);
});
it("says of every operation that it may be unavailable", () => {
  const { paths } = openApiOf(services, "") as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  for (const methods of Object.values(paths))
    for (const { responses } of Object.values(methods)) expect(responses).toHaveProperty("503");
});

it("has one path for paths that differ only in the names of their parameters", () => {
  const [service] = services as [Service];
  const [first] = service.operations as [Operation];
  const params = (name: string) => Type.Object({ [name]: Type.String() });
  const at = (method: "GET" | "PUT", name: string): Operation =>
    ({ ...first, id: `sample.${name}`, method, path: `/jobs/{${name}}`, params: params(name) }) as Operation;
  const { paths } = openApiOf(
    [{ ...service, operations: [at("GET", "jobId"), at("PUT", "planName")] }],
    "",
  ) as {
    paths: Record<string, any>;
  };
  expect(Object.keys(paths)).toEqual(["/sample/jobs/{jobId}"]);
  const { get, put } = paths["/sample/jobs/{jobId}"];
  expect([get.parameters[0].name, put.parameters[0].name]).toEqual(["jobId", "jobId"]);
});
