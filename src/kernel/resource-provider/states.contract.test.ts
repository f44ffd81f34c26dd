/** What the states of a resource mean for changes: failed ones are tried again, and what goes away takes nothing in. */
import { Type } from "@sinclair/typebox";
import { beforeAll, expect, test } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { defineErrors, noBody } from "../operation/index.ts";
import {
  defineResourceProvider,
  proxyAnswer,
  resourceType,
  startedAnswer,
  startWork,
  trackedAnswer,
  trackedBody,
} from "./index.ts";

const VERSION = "api-version=2030-01-01";
const errors = defineErrors({ jammed: ["Jammed", 409] });
const nameRule = { pattern: /^[a-z0-9-]{1,20}$/i, says: "it has 1 to 20 letters, digits and hyphens" };
const NOTE = Type.Object({ note: Type.Optional(Type.String()) });
const BODY = Type.Object({ properties: NOTE });
const CHANGE = Type.Object({ properties: Type.Optional(NOTE) });
const ANSWER = proxyAnswer({
  properties: Type.Object({ ...NOTE.properties, provisioningState: Type.String() }),
});
type Noted = { readonly note?: string };

const depots = resourceType({
  name: "depots",
  title: "depot",
  parameter: "depotName",
  idWords: "depots",
  nameRule,
  catalogType: "Depot",
  wire: {
    put: trackedBody({}),
    answer: trackedAnswer({ properties: Type.Object({ provisioningState: Type.String() }) }),
  },
  work: { delete: { states: ["Clearing", "Closing"] } },
});
const crates = resourceType<Noted>({
  name: "crates",
  title: "crate",
  parent: depots,
  parameter: "crateName",
  idWords: "crates",
  nameRule,
  catalogType: "Crate",
  wire: { put: BODY, patch: CHANGE, answer: ANSWER },
  errors: Object.values(errors),
  work: {
    create: {
      states: ["Building"],
      leave({ properties }) {
        if (properties.note === "stuck") throw errors.jammed("The crate cannot be built.");
        return undefined;
      },
    },
    update: { states: ["Rebuilding"] },
  },
});
/** Changed at once, but with an action that takes time and may fail. */
const labels = resourceType<Noted>({
  name: "labels",
  title: "label",
  parent: crates,
  parameter: "labelName",
  idWords: "labels",
  nameRule,
  catalogType: false,
  wire: { put: BODY, patch: CHANGE, answer: ANSWER },
  errors: Object.values(errors),
  work: {
    print: {
      states: ["Printing"],
      leave() {
        throw errors.jammed("The printer is jammed.");
      },
    },
  },
  actions: [
    {
      name: "print",
      summary: "Prints a label.",
      answers: { 200: ANSWER, 202: noBody },
      handle: async ({ resource }, context) =>
        startedAnswer(context, await startWork(context, resource as never, "print")),
    },
  ],
});
const toy = defineResourceProvider({
  name: "toy-depots",
  title: "Toy depots",
  summary: "Depots, crates and labels.",
  namespace: "Vendor.ToyDepots",
  apiVersions: ["2030-01-01"],
  types: [depots, crates, labels],
});

let counter = 0;
function newPlace() {
  counter += 1;
  const group = `/management/subscriptions/depots-${counter}/resourceGroups/rg`;
  return {
    group: `${group}?api-version=2021-04-01`,
    at: (rest: string) => `${group}/providers/Vendor.ToyDepots/depots/d1${rest}?${VERSION}`,
  };
}
const codeOf = ({ status, body }: { status: number; body: any }) => `${status} ${body.error?.code}`;
const noted = (note?: string) => ({ properties: note === undefined ? {} : { note } });

onBothDatabases(
  "states of managed resources",
  (instance) => {
    beforeAll(() => instance().clock.freeze());
    const send = (method: string, path: string, body?: unknown) => instance().bearer(method, path, { body });
    const stateOf = async (path: string) => (await send("GET", path)).body.properties.provisioningState;
    async function newDepot() {
      const place = newPlace();
      expect((await send("PUT", place.at(""), { location: "westus" })).status).toBe(201);
      expect((await send("PUT", place.at("/crates/c1"), noted())).status).toBe(201);
      await instance().clock.advance("2s");
      expect((await send("PUT", place.at("/crates/c1/labels/l1"), noted())).status).toBe(201);
      return place;
    }
    const changes = [
      ["PUT", "/crates/c1"],
      ["PUT", "/crates/c2"],
      ["PATCH", "/crates/c1"],
      ["PUT", "/crates/c1/labels/l1"],
      ["PUT", "/crates/c1/labels/l2"],
      ["PATCH", "/crates/c1/labels/l1"],
    ] as const;

    test("nothing is made or changed in what goes away, however far above it is", async () => {
      const { at } = await newDepot();
      expect((await send("DELETE", at(""))).status).toBe(202);
      for (const state of ["Clearing", "Closing"]) {
        expect(await stateOf(at(""))).toBe(state);
        for (const [method, rest] of changes)
          expect([state, method, rest, codeOf(await send(method, at(rest), noted("new")))]).toEqual([
            state,
            method,
            rest,
            "409 AnotherOperationInProgress",
          ]);
        expect(codeOf(await send("PATCH", at("/crates/none"), noted()))).toBe("404 ResourceNotFound");
        await instance().clock.advance("1s");
      }
      expect((await send("GET", at(""))).status).toBe(404);
    });

    test("nor in a resource group that goes away", async () => {
      const { at, group } = await newDepot();
      expect((await send("DELETE", group)).status).toBe(202);
      for (const [method, rest] of changes)
        expect([method, rest, codeOf(await send(method, at(rest), noted("new")))]).toEqual([
          method,
          rest,
          "409 ResourceGroupBeingDeleted",
        ]);
    });

    test("a patch of what failed is provisioned again, and mends it only where that works", async () => {
      const { at } = await newDepot();
      const crate = at("/crates/c2");
      await send("PUT", crate, noted("stuck"));
      await instance().clock.advance("2s");
      expect(await stateOf(crate)).toBe("Failed");
      const again = await send("PATCH", crate, noted());
      expect([again.status, again.body.properties.provisioningState]).toEqual([200, "Building"]);
      await instance().clock.advance("2s");
      expect(await stateOf(crate)).toBe("Failed");
      const status = await send("GET", again.headers.get("azure-asyncoperation") as string);
      expect(status.body).toMatchObject({ status: "Failed", error: { code: "Jammed" } });
      expect((await send("PATCH", crate, noted("free"))).body.properties.provisioningState).toBe("Building");
      await instance().clock.advance("2s");
      expect(await stateOf(crate)).toBe("Succeeded");
      expect((await send("PATCH", crate, noted("freer"))).body.properties.provisioningState).toBe(
        "Rebuilding",
      );
    });

    test.each(["PATCH", "PUT"])(
      "where changes are done at once, a %s settles what failed",
      async (method) => {
        const { at } = await newDepot();
        expect((await send("POST", at("/crates/c1/labels/l1/print"))).status).toBe(202);
        await instance().clock.advance("2s");
        expect(await stateOf(at("/crates/c1/labels/l1"))).toBe("Failed");
        const changed = await send(method, at("/crates/c1/labels/l1"), noted("new"));
        expect([changed.status, changed.body.properties]).toEqual([
          200,
          { note: "new", provisioningState: "Succeeded" },
        ]);
      },
    );
  },
  { services: ["resource-manager"], extraServices: [toy], provisioningSeconds: 2 },
);
