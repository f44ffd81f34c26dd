/** A small resource provider that uses everything the engine offers: shelves, and boxes on them that can be opened. */
import { Type } from "@sinclair/typebox";
import { defineErrors, noBody } from "../../src/kernel/operation/index.ts";
import {
  changeResource,
  defineResourceProvider,
  proxyAnswer,
  resourceType,
  startedAnswer,
  startWork,
  tagChanges,
  trackedAnswer,
  trackedBody,
} from "../../src/kernel/resource-provider/index.ts";

const errors = defineErrors({
  tooMuch: ["TooMuch", 400],
  jammed: ["Jammed", 409],
  full: ["ShelfNotEmpty", 409],
});

const shelfAnswer = trackedAnswer({ properties: Type.Object({}) });
const shelves = resourceType({
  name: "shelves",
  title: "shelf",
  parameter: "shelfName",
  idWords: "shelves",
  nameRule: { pattern: /^[a-z0-9-]{1,20}$/i, says: "it has 1 to 20 letters, digits and hyphens" },
  nameIsGlobal: true,
  catalogType: "Shelf",
  wire: { put: trackedBody({}), answer: shelfAnswer },
  implied: () => ({ location: "global", properties: {} }),
});

type BoxProperties = { readonly weight: number; readonly label?: string; readonly opened?: number };
const boxProperties = { weight: Type.Number(), label: Type.Optional(Type.String()) };
const boxAnswer = proxyAnswer({
  properties: Type.Object({
    ...boxProperties,
    opened: Type.Optional(Type.Integer()),
    provisioningState: Type.String(),
  }),
});
const boxes = resourceType<BoxProperties>({
  name: "boxes",
  title: "box",
  parent: shelves,
  parameter: "boxName",
  idWords: "boxes",
  nameRule: { pattern: /^[a-z0-9-]{1,20}$/i, says: "it has 1 to 20 letters, digits and hyphens" },
  catalogType: "Box",
  wire: {
    put: Type.Object({ properties: Type.Object(boxProperties) }),
    patch: Type.Object({
      tags: Type.Optional(tagChanges),
      properties: Type.Optional(
        Type.Object({
          weight: Type.Optional(Type.Number()),
          label: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        }),
      ),
    }),
    answer: boxAnswer,
  },
  head: true,
  etag: { neededBy: ["PATCH", "DELETE"] },
  statuses: { patch: { done: 204 }, delete: { absent: 404 } },
  errors: Object.values(errors),
  lists: {
    skip: true,
    query: Type.Object({ heavy: Type.Optional(Type.Boolean()) }),
    select: ({ heavy }) =>
      heavy === undefined ? undefined : ({ properties }) => Number(properties.weight) > 10 === heavy,
  },
  prepare(wanted) {
    if (wanted.properties.weight > 100) throw errors.tooMuch("A box weighs at most 100.");
    return wanted;
  },
  mayDelete({ properties }) {
    if (properties.label === "keep") throw errors.full("This box is to be kept.");
  },
  work: {
    open: {
      states: ["Opening", "Lifting"],
      leave(box, state) {
        if (state === "Lifting" && box.properties.label === "stuck") throw errors.jammed("The lid is stuck.");
        return undefined;
      },
      finish: (box) => ({ properties: { ...box.properties, opened: (box.properties.opened ?? 0) + 1 } }),
    },
  },
  actions: [
    {
      name: "open",
      summary: "Opens a box.",
      answers: { 200: boxAnswer, 202: noBody },
      handle: async ({ resource }, context) =>
        startedAnswer(context, await startWork(context, resource as never, "open")),
    },
    {
      name: "relabel",
      summary: "Gives a box another label.",
      body: Type.Object({ label: Type.String() }),
      answers: { 200: Type.Object({ label: Type.String() }) },
      async handle({ resource, body }, context) {
        const { properties } = await changeResource(context, resource, {
          properties: { ...resource.properties, label: body.label },
        });
        return { label: properties.label };
      },
    },
  ],
});
export const toyStorage = defineResourceProvider({
  name: "toy-storage",
  title: "Toy storage",
  summary: "Shelves and boxes.",
  namespace: "Vendor.ToyStorage",
  apiVersions: ["2030-01-01"],
  types: [shelves, boxes],
});
