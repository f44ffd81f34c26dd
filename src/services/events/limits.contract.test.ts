/** Limits of what is kept and of what is under way: the last that fits and the first that does not. On both databases. */
import { beforeAll, expect, it } from "vitest";
import { account, Events } from "../../../tests/support/events.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import type { Instance, Service } from "../../kernel/operation/index.ts";
import events from "./index.ts";
import type { EventsContext } from "./state.ts";
import { finishAnalysis, insertAnalysis, insertLogs, listLogs, pruneLogs } from "./store/index.ts";

const REGION = "us-east-1";
const DAY_MS = 24 * 3_600_000;
let own: Instance;
const reachable: Service = {
  ...events,
  start(instance) {
    own = instance;
    return events.start?.(instance);
  },
};

onBothDatabases(
  "events",
  (instance) => {
    const caller = new Events(instance);
    const within = <T>(work: (context: EventsContext) => Promise<T>): Promise<T> =>
      own.transactAs("events", account, (context) => work(context as EventsContext));
    const rowOf = (id: string, created_at: number, status = "COMPLETE") => ({
      account,
      region: REGION,
      id,
      status,
      definition: "{}",
      results: "[]",
      created_at,
    });
    // The service's state is made with its first request.
    beforeAll(() => caller.send("GET", "/inputs"));
    const definition = { initialStateName: "a", states: [{ stateName: "a" }] };
    const start = () =>
      caller.send("POST", "/analysis/detector-models", { detectorModelDefinition: definition });

    it("ten analyses are under way at the most", async () => {
      const rows = Array.from({ length: 10 }, (_, index) =>
        rowOf(`running-${index}`, own.clock.nowMs(), "RUNNING"),
      );
      await within(async ({ db }) => {
        for (const row of rows) await insertAnalysis(db, row);
      });
      const refused = await start();
      expect([refused.status, refused.headers.get("x-amzn-errortype")]).toEqual([
        410,
        expect.stringContaining("LimitExceededException"),
      ]);
      await within(({ db }) => finishAnalysis(db, rows[0]!, "COMPLETE", "[]"));
      expect((await start()).status).toBe(200);
    });

    it("an analysis is kept for a day, to the millisecond", async () => {
      await instance().clock.freeze();
      const lookMs = own.clock.nowMs() + 2 * 3_600_000;
      await within(async ({ db }) => {
        await insertAnalysis(db, rowOf("last-kept", lookMs - DAY_MS));
        await insertAnalysis(db, rowOf("first-gone", lookMs - DAY_MS - 1));
      });
      await instance().clock.advance("2h");
      expect(await caller.statusOf("/analysis/detector-models/last-kept")).toBe("COMPLETE");
      const gone = await caller.send("GET", "/analysis/detector-models/first-gone");
      expect(gone.status).toBe(404);
    });

    it("of the lines of an account as many are kept as may be, the newest", async () => {
      const lineOf = (id: string) => ({
        ...{
          account,
          id,
          region: REGION,
          model_id: "m",
          model: "m",
          key: "",
          level: "INFO",
          kind: "k",
          text: "",
        },
        ...{ from_state: null, to_state: null, at: 0 },
      });
      const ids = async () => (await within(({ db }) => listLogs(db, account, "", 10))).map(({ id }) => id);
      await within(({ db }) => insertLogs(db, ["l1", "l2", "l3", "l4"].map(lineOf)));
      await within(({ db }) => pruneLogs(db, account, 4));
      expect(await ids()).toEqual(["l1", "l2", "l3", "l4"]);
      await within(({ db }) => pruneLogs(db, account, 3));
      expect(await ids()).toEqual(["l2", "l3", "l4"]);
      const many = Array.from({ length: 100_001 - 3 }, (_, index) => lineOf(`m${100_000 + index}`));
      await within(({ db }) => insertLogs(db, many));
      await instance().clock.advance("2h");
      expect((await ids()).slice(0, 2)).toEqual(["l3", "l4"]);
    });
  },
  { services: [], extraServices: [reachable], logLevel: "silent" },
);
