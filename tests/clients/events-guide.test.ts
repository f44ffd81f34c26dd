/** The developer guide's models run over HTTP with the maker's clients, and alarm as the guide says. */
import * as definition from "@aws-sdk/client-iot-events";
import * as data from "@aws-sdk/client-iot-events-data";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type Instance, onBothDatabases } from "../support/medley.ts";
import * as guide from "./events/guide-models.ts";
import { EventsStory } from "./events/story.ts";

class Guide extends EventsStory {
  #sent = 0;
  async input(inputName: string, ...paths: string[]): Promise<void> {
    const attributes = paths.map((jsonPath) => ({ jsonPath }));
    await this.models.send(new definition.CreateInputCommand({ inputName, inputDefinition: { attributes } }));
    await this.inputIsActive(inputName);
  }
  async model(
    detectorModelName: string,
    key: string,
    detectorModelDefinition: definition.DetectorModelDefinition,
  ): Promise<void> {
    const given = { detectorModelName, detectorModelDefinition, roleArn: guide.guideRole };
    await this.models.send(new definition.CreateDetectorModelCommand({ ...given, key }));
    await this.modelIsActive(detectorModelName, "1");
  }
  modelIsActive(detectorModelName: string, version: string): Promise<boolean> {
    return eventually(async () => {
      const { detectorModel } = await this.models.send(
        new definition.DescribeDetectorModelCommand({ detectorModelName }),
      );
      const { status, detectorModelVersion } = detectorModel?.detectorModelConfiguration ?? {};
      return status === "ACTIVE" && detectorModelVersion === version;
    }, `the model ${detectorModelName} is active`);
  }
  async tell(inputName: string, reading: object): Promise<void> {
    this.#sent += 1;
    const payload = Buffer.from(JSON.stringify(reading));
    const { BatchPutMessageErrorEntries } = await this.messages.send(
      new data.BatchPutMessageCommand({ messages: [{ messageId: `${this.#sent}`, inputName, payload }] }),
    );
    expect(BatchPutMessageErrorEntries).toEqual([]);
  }
  isIn(detectorModelName: string, keyValue: string, stateName: string) {
    return eventually(async () => {
      const found = await this.messages
        .send(new data.DescribeDetectorCommand({ detectorModelName, keyValue }))
        .catch(() => undefined);
      return found?.detector?.state?.stateName === stateName && found.detector;
    }, `${detectorModelName} is ${stateName}`);
  }
  /** How often a topic was told. */
  async told(topic: string): Promise<number> {
    const { body } = await this.instance().bearer(
      "GET",
      "/_medley/outbox?service=events&kind=topic&limit=500",
    );
    return body.messages.filter(({ target }: { target: string }) => target === guide.topicNamed(topic))
      .length;
  }
}
const moveOn = (instance: () => Instance, seconds: number) => instance().clock.advance(`${seconds}s`);

onBothDatabases(
  "the guide's models",
  (instance) => {
    const story = new Guide(instance);
    beforeAll(() => instance().clock.freeze());
    afterAll(() => story.end());

    it("simple alarm: alarms above the threshold, snoozes, comes back, escalates and is reset", async () => {
      await story.input(guide.SIMPLE, "alarmId", "value", "threshold", "command");
      await story.model("Simple_Alarm", "alarmId", guide.simpleAlarm);
      const tell = (reading: object) => story.tell(guide.SIMPLE, { alarmId: "a", ...reading });
      await tell({ value: 10, threshold: 50 });
      await story.isIn("Simple_Alarm", "a", "Normal");
      await tell({ value: 60 });
      const alarming = await story.isIn("Simple_Alarm", "a", "Alarming");
      expect(alarming.state?.variables).toContainEqual({ name: "threshold", value: "50" });
      expect(await story.told("alarmNotification")).toBe(1);
      await tell({ command: "acknowledge" });
      await story.isIn("Simple_Alarm", "a", "Snooze");
      await moveOn(instance, 121);
      await story.isIn("Simple_Alarm", "a", "Alarming");
      expect(await story.told("escalatedAlarmNotification")).toBe(0);
      await moveOn(instance, 301);
      await eventually(
        async () => (await story.told("escalatedAlarmNotification")) === 1,
        "the alarm is escalated",
      );
      await tell({ command: "acknowledge" });
      await story.isIn("Simple_Alarm", "a", "Snooze");
      await tell({ command: "dnd" });
      const before = await story.told("alarmNotification");
      await moveOn(instance, 121);
      await story.isIn("Simple_Alarm", "a", "Alarming");
      expect(await story.told("alarmNotification")).toBe(before);
      await tell({ command: "reset" });
      await story.isIn("Simple_Alarm", "a", "Normal");
    });

    it("ISA alarm: leaves and enters every state of the standard", async () => {
      await story.input(guide.ISA, "alarmId", "value", "lower_threshold", "higher_threshold", "command");
      await story.model("ISA_Alarm", "alarmId", guide.isaAlarm);
      const steps: [object, string][] = [
        [{ value: 50, lower_threshold: 10, higher_threshold: 90 }, "Normal"],
        [{ value: 95 }, "Unacknowledged"],
        [{ value: 50 }, "RTN_Unacknowledged"],
        [{ command: "acknowledge" }, "Normal"],
        [{ value: 5 }, "Unacknowledged"],
        [{ command: "shelve" }, "Shelved"],
        [{ command: "unshelve" }, "Unacknowledged"],
        [{ command: "acknowledge" }, "Acknowledged"],
        [{ command: "suppressed" }, "Suppressed_by_design"],
        [{ command: "unsuppressed" }, "Acknowledged"],
        [{ command: "remove" }, "Out_of_service"],
        [{ command: "add" }, "Acknowledged"],
      ];
      for (const [reading, state] of steps) {
        await story.tell(guide.ISA, { alarmId: "i", ...reading });
        await story.isIn("ISA_Alarm", "i", state);
      }
      await moveOn(instance, 61);
      await story.isIn("ISA_Alarm", "i", "Unacknowledged");
      await story.tell(guide.ISA, { alarmId: "i", command: "acknowledge" });
      await story.isIn("ISA_Alarm", "i", "Acknowledged");
      await story.tell(guide.ISA, { alarmId: "i", command: "reset" });
      await story.isIn("ISA_Alarm", "i", "Normal");
    });

    it("cranes: two models of other keys read the same messages; the newer version tells once", async () => {
      await story.input("PressureInput", "pressure");
      await story.input("TemperatureInput", "temperature");
      await story.model("motorDetectorModel", "motorid", guide.motorModel);
      await story.model("craneDetectorModel", "craneid", guide.craneModel(35, 25, false));
      const of = { craneid: "100009", motorid: "200009" };
      const repeat = async (times: number, inputName: string, reading: object) => {
        for (let time = 0; time < times; time += 1) await story.tell(inputName, { ...of, ...reading });
      };
      const countOf = async (model: string, keyValue: string) => {
        const { state } = await story.isIn(model, keyValue, "Running");
        return Number(state?.variables?.find(({ name }) => name?.endsWith("Breached"))?.value);
      };
      await repeat(1, "PressureInput", { pressure: 80 });
      await repeat(7, "TemperatureInput", { temperature: 40 });
      await eventually(
        async () => (await countOf("craneDetectorModel", of.craneid)) === 7,
        "the crane counts",
      );
      await eventually(
        async () => (await countOf("motorDetectorModel", of.motorid)) === 7,
        "the motor counts",
      );
      // Conditions see variables as they were before the message: the seventh sees six.
      expect([await story.told("CraneSNSTopic"), await story.told("MotorSNSTopic")]).toEqual([1, 1]);
      await repeat(1, "TemperatureInput", { temperature: 20 });
      await eventually(async () => (await countOf("craneDetectorModel", of.craneid)) === 0, "it cooled");

      await story.models.send(
        new definition.UpdateDetectorModelCommand({
          detectorModelName: "craneDetectorModel",
          detectorModelDefinition: guide.craneModel(30, 10, true),
          roleArn: guide.guideRole,
        }),
      );
      await story.modelIsActive("craneDetectorModel", "2");
      await repeat(8, "TemperatureInput", { temperature: 31 });
      await eventually(
        async () => (await countOf("craneDetectorModel", of.craneid)) === 8,
        "the newer counts",
      );
      // The cold message saw seven.
      expect(await story.told("CraneSNSTopic")).toBe(3);
    });
  },
  { services: ["events"] },
);
