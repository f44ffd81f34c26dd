/** Demo data: there once, however often it is asked for, and alive. */
import { expect, it } from "vitest";
import { Events } from "../../../tests/support/events.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "demo data",
  (instance) => {
    const events = new Events(instance);
    const seed = async () =>
      (await instance().bearer("POST", "/_medley/seed", { body: {} })).body.made[0].rows;

    it("brings models that are active, and detectors and alarms in several states", async () => {
      await instance().clock.freeze();
      expect(await seed()).toBeGreaterThan(400);
      await events.isIn("cold-chain", "split-9", "Warming");
      await events.isIn("cold-chain", "lille-4", "Cold");
      await events.isIn("motor-pressure", "motor-1", "Normal");
      await events.isIn("motor-pressure", "motor-6", "Dangerous");
      await events.isAlarmIn("cold-chain-alarm", "split-9", "ACTIVE");
      await events.isAlarmIn("cold-chain-alarm", "lille-4", "LATCHED");
      await events.isAlarmIn("cold-chain-alarm", "oslo-7", "NORMAL");
      expect((await events.outbox("mail")).length).toBeGreaterThan(0);
    });
    it("changes nothing the second time", async () => {
      expect(await seed()).toBe(0);
    });
    it("lets the time of what is too warm run out", async () => {
      await instance().clock.advance("31m");
      await events.isIn("cold-chain", "split-9", "Spoiled");
      await instance().clock.resume();
    });
  },
  { services: ["events"] },
);
