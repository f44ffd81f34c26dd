/** A transaction that runs again because of another one: its request is counted once. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { Type } from "@sinclair/typebox";
import { expect, it } from "vitest";
import { createTable } from "../../src/kernel/db/index.ts";
import {
  defineErrors,
  defineService,
  noBody,
  oncePerRequest,
  operationsFor,
} from "../../src/kernel/operation/index.ts";
import { apiKeyIn, plain } from "../../src/kernel/protocols/index.ts";
import { onBothDatabases } from "../support/medley.ts";

const errors = defineErrors({ refused: ["Refused", 409] });
const operation = operationsFor<any, undefined>();
const runs = { counted: 0, all: 0 };
const count = oncePerRequest((_context: { readonly request: any }) => {
  runs.counted += 1;
});
/** The first request waits for the others, which then share a commit. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}
const body = Type.Object({ id: Type.String(), fails: Type.Boolean() });
const tally = defineService({
  name: "tally",
  title: "Tally",
  summary: "Counts its requests.",
  mount: "/tally",
  protocol: plain({ scheme: apiKeyIn("Vendor-Subscription-Key") }),
  migrations: {
    "001-mark": {
      up: (db) => createTable(db, "tally_mark", { account: "text", id: "text" }, ["account", "id"]),
    },
  },
  operations: [
    operation({
      id: "tally.mark",
      summary: "Stores a mark",
      method: "POST",
      path: "/marks",
      permission: "tally:Mark",
      body,
      answers: { 204: noBody },
      errors: [errors.refused],
      async handle({ body: { id, fails } }, context) {
        runs.all += 1;
        count(context);
        if (runs.all === 1) await turns(2_000);
        await context.db.insertInto("tally_mark").values({ account: context.account, id }).execute();
        if (fails) throw errors.refused("This mark is refused.");
      },
    }),
  ],
});

onBothDatabases(
  "requests whose transactions share a commit",
  (instance, kind) => {
    it("count once each, although one of them fails after it has written", async () => {
      Object.assign(runs, { counted: 0, all: 0 });
      const mark = (at: number) =>
        instance().apiKey("Vendor-Subscription-Key", "POST", "/tally/marks", {
          body: { id: `mark ${at}`, fails: at % 5 === 4 },
        });
      const sent = await Promise.all(Array.from({ length: 60 }, (_, at) => mark(at)));
      expect(sent.map(({ status }) => status)).toEqual(sent.map((_, at) => (at % 5 === 4 ? 409 : 204)));
      expect(runs.counted).toBe(60);
      if (kind === "sqlite") expect(runs.all).toBeGreaterThan(60);
    });
  },
  { services: [], extraServices: [tally] },
);
