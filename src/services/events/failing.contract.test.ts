/** What callers see of an engine in trouble: too much to evaluate, a definition that cannot be read. On both databases. */
import { expect, it } from "vitest";
import { account, base64, Events } from "../../../tests/support/events.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import type { Instance, Service } from "../../kernel/operation/index.ts";
import { LOOK_AFTER_REFUSALS } from "./evaluators.ts";
import events from "./index.ts";
import { analyse } from "./jobs/index.ts";
import type { EventsContext, State } from "./state.ts";
import { countWaiting, insertAnalysis } from "./store/index.ts";

const BACKLOG_MAX = 200_000;

const REGION = "us-east-1";
let inside: { readonly own: Instance; readonly state: State };
/** The service as it is; what it keeps in memory is within the test's reach. */
const reachable: Service = {
  ...events,
  start(own) {
    inside = { own, state: events.start?.(own) };
    return inside.state;
  },
};

onBothDatabases(
  "events in trouble",
  (instance) => {
    const caller = new Events(instance);
    const put = (messageId = "m1", as = caller) =>
      as.data("POST", "/inputs/messages", {
        messages: [{ messageId, inputName: "PressureInput", payload: base64({ motorid: "a", pressure: 1 }) }],
      });

    it("take no more messages while too many wait, and say so by name", async () => {
      await caller.createInput();
      expect((await put()).status).toBe(200);
      inside.state.evaluators.noteBacklog(account, BACKLOG_MAX);
      const refused = await put();
      expect([refused.status, refused.headers.get("x-amzn-errortype")]).toEqual([
        429,
        expect.stringContaining("ThrottlingException"),
      ]);
      expect(refused.body.message).toBe("Too many messages wait for their evaluation: try again later.");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      const second = new Events(instance, "second");
      await second.createInput();
      expect((await put("m1", second)).status).toBe(200);
      inside.state.evaluators.noteBacklog(account, 0);
      expect((await put()).status).toBe(200);
    });

    it("take messages again once a look finds that few wait, whoever evaluated them", async () => {
      inside.state.evaluators.noteBacklog(account, BACKLOG_MAX);
      const statuses: number[] = [];
      for (let call = 0; call < LOOK_AFTER_REFUSALS; call += 1) statuses.push((await put()).status);
      expect([statuses[0], statuses.at(-1)]).toEqual([429, 200]);
    });

    it("find messages that a loop was relied on for and never saw, and look for none where there are none", async () => {
      const { evaluators } = inside.state;
      const looks = async () => {
        const { body } = await instance().bearer("GET", "/_medley/jobs?state=waiting&limit=1000");
        return body.jobs.filter(({ job }: { job: string }) => job === "events.look-for-forgotten").length;
      };
      await caller.createAlarmModel("listens");
      await instance().clock.advance("5m");
      expect(await looks()).toBe(0);
      await instance().clock.freeze();
      const loop = await eventually(() => evaluators.open(account, []), "a loop of nobody's");
      expect(await put("lost").then(({ status }) => status)).toBe(200);
      expect(await looks()).toBe(1);
      expect(await put("lost-too").then(({ status }) => status)).toBe(200);
      expect(await looks()).toBe(1);
      loop.close();
      evaluators.forget(account, loop);
      const waiting = () =>
        inside.own.transactAs("events", account, ({ db }) =>
          countWaiting(db as EventsContext["db"], account, 9),
        );
      expect(await waiting()).toBe(2);
      await instance().clock.advance("61s");
      expect([await waiting(), await looks()]).toEqual([0, 0]);
      await instance().clock.resume();
    });

    it("say that an analysis has failed when it is tried no more", async () => {
      const id = "broken-analysis";
      await inside.own.transactAs("events", account, async (context) => {
        const own = context as EventsContext;
        await insertAnalysis(own.db, {
          account,
          region: REGION,
          id,
          status: "RUNNING",
          definition: '{"states":',
          results: "[]",
          created_at: own.clock.nowMs(),
        });
        await own.enqueue(analyse, { region: REGION, id });
      });
      const path = `/analysis/detector-models/${id}`;
      expect(await caller.statusOf(path)).toBe("RUNNING");
      await eventually(async () => {
        await instance().clock.advance("1h");
        return (await caller.statusOf(path)) === "FAILED";
      }, "the analysis has failed");
      expect((await caller.well("GET", `${path}/results`)).analysisResults).toEqual([]);
    });
  },
  { services: [], extraServices: [reachable], logLevel: "silent" },
);
