/** Models that send many messages for each one: other callers are served meanwhile, and it ends. */
import { expect, it } from "vitest";
import { account, Events, role } from "../../../tests/support/events.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { isFirstPart } from "../../../tests/support/test-part.ts";
import type { Instance, Service } from "../../kernel/operation/index.ts";
import { BACKLOG_MAX } from "./evaluators.ts";
import events from "./index.ts";
import { Acceptance } from "./jobs/accept.ts";
import { askForEvaluation } from "./jobs/wake.ts";
import type { EventsContext } from "./state.ts";
import { countWaiting, listLogs } from "./store/index.ts";

const REGION = "us-east-1";
let own: Instance;
const reachable: Service = {
  ...events,
  start(instance) {
    own = instance;
    return events.start?.(instance);
  },
};
/** Ten events with ten actions each. */
const fanOut = (action: object) => ({
  initialStateName: "s",
  states: [
    {
      stateName: "s",
      onInput: {
        events: Array.from({ length: 10 }, (_, index) => ({
          eventName: `e${index}`,
          condition: "$input.Pulse.count > 0",
          actions: Array.from({ length: 10 }, () => action),
        })),
      },
    },
  ],
});

onBothDatabases(
  "models that send much",
  (instance) => {
    const caller = new Events(instance);
    const within = <T>(work: (context: EventsContext) => Promise<T>): Promise<T> =>
      own.transactAs("events", account, (context) => work(context as EventsContext));
    const waiting = () => within(({ db }) => countWaiting(db, account, 1000));
    async function make(name: string, action: object): Promise<void> {
      await caller.send("POST", "/inputs", {
        inputName: "Pulse",
        inputDefinition: { attributes: [{ jsonPath: "key" }, { jsonPath: "count" }] },
      });
      const body = { detectorModelName: name, key: "key", roleArn: role };
      const made = await caller.send("POST", "/detector-models", {
        ...body,
        detectorModelDefinition: fanOut(action),
      });
      expect(made.status).toBe(200);
      await eventually(async () => {
        const { body: shown } = await caller.send("GET", `/detector-models/${name}`);
        return shown.detectorModel.detectorModelConfiguration.status === "ACTIVE";
      }, "the model is active");
    }
    /** All of them wait before the first is evaluated. */
    const send = (count: number) =>
      within(async (context) => {
        const acceptance = new Acceptance(context, REGION);
        for (let index = 0; index < count; index += 1) {
          const text = JSON.stringify({ key: `k${index}`, count: 1 });
          const message = { messageId: `m${index}`, inputName: "Pulse", text, sentAtMs: undefined, depth: 0 };
          expect(await acceptance.add(message)).toBeUndefined();
        }
        await acceptance.write();
        await askForEvaluation(context);
      });

    it.skipIf(isFirstPart())("leave time for others between their messages", async () => {
      await make("loud", { iotTopicPublish: { mqttTopic: "pulses" } });
      await send(20);
      const seen = new Set<number>();
      await eventually(async () => {
        seen.add(await waiting());
        return seen.has(0);
      }, "all are evaluated");
      expect(seen.size).toBeGreaterThan(3);
      await caller.send("DELETE", "/detector-models/loud");
    });
    it("send nothing on while too many messages wait, and say so once", async () => {
      const contentExpression = `'{"key":"k0","count":1}'`;
      await make("circle", {
        iotEvents: { inputName: "Pulse", payload: { contentExpression, type: "JSON" } },
      });
      await within(async ({ state }) => state.evaluators.noteBacklog(account, BACKLOG_MAX));
      await send(1);
      await eventually(async () => (await waiting()) === 0, "the message is evaluated");
      const lines = await within(({ db }) => listLogs(db, account, "", 1000));
      const errors = lines.filter(({ kind }) => kind === "error").map(({ text }) => text);
      expect(errors).toEqual([expect.stringContaining("Too many messages wait")]);
    });
  },
  { services: [], extraServices: [reachable], logLevel: "silent" },
);
