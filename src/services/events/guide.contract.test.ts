/** What the public guide's own models and messages rely on. */
import { beforeAll, expect, it } from "vitest";
import { base64, Events } from "../../../tests/support/events.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

/** A state that is left when the condition holds. */
const leaving = (stateName: string, condition: string, nextState: string, events: object[] = []) => ({
  stateName,
  onInput: { events, transitionEvents: [{ eventName: `to ${nextState}`, condition, nextState }] },
});
/** Like the guide's templates: the first message brings the threshold, which is set while it is not there. */
const template = {
  initialStateName: "Normal",
  states: [
    leaving("Normal", "$input.Alarm.value > $variable.threshold", "Alarming", [
      {
        eventName: "configure",
        condition: "$variable.threshold != $variable.threshold",
        actions: [{ setVariable: { variableName: "threshold", value: "$input.Alarm.threshold" } }],
      },
    ]),
    leaving("Alarming", '$input.Alarm.command == "reset"', "Normal"),
  ],
};
const when = (condition: string) => ({
  initialStateName: "No",
  states: [leaving("No", condition, "Yes"), leaving("Yes", "$input.Odd.never == 1", "No")],
});

onBothDatabases(
  "models of the guide",
  (instance) => {
    const events = new Events(instance);
    const attributes = (...paths: string[]) => ({ attributes: paths.map((jsonPath) => ({ jsonPath })) });
    beforeAll(async () => {
      await events.createInput("Alarm", attributes("value", "threshold", "command"));
      await events.createInput("Odd", attributes("_odd", "1st", "two-words", "never", "nothing"));
    });
    let count = 0;
    const tell = async (inputName: string, payload: object, messageId = `message-${++count}`) => {
      const messages = [{ messageId, inputName, payload: base64(payload) }];
      const { body } = await events.data("POST", "/inputs/messages", { messages });
      expect(body).toEqual({ BatchPutMessageErrorEntries: [] });
    };

    it("ask whether a variable was set by comparing it with itself, with a key that no input declares", async () => {
      await events.createModel("template", template, { key: "machine" });
      await tell("Alarm", { machine: "m", value: 10, threshold: 50 });
      await events.isIn("template", "m", "Normal");
      await tell("Alarm", { machine: "m", value: 40, threshold: 20 });
      await events.isIn("template", "m", "Normal");
      await tell("Alarm", { machine: "m", value: 60 });
      await events.isIn("template", "m", "Alarming");
      const { body } = await events.data("POST", "/inputs/messages", {
        messages: [{ messageId: "keyless", inputName: "Alarm", payload: base64({ value: 1 }) }],
      });
      expect(body.BatchPutMessageErrorEntries).toMatchObject([{ messageId: "keyless" }]);
    });
    it("count a message once that is sent again within five minutes", async () => {
      await instance().clock.freeze();
      const counting = {
        initialStateName: "Counting",
        states: [
          {
            stateName: "Counting",
            onEnter: {
              events: [
                { eventName: "begin", actions: [{ setVariable: { variableName: "seen", value: "0" } }] },
              ],
            },
            onInput: {
              events: [
                {
                  eventName: "count",
                  condition: "$input.Alarm.value > 0",
                  actions: [{ setVariable: { variableName: "seen", value: "$variable.seen + 1" } }],
                },
              ],
            },
          },
        ],
      };
      await events.createModel("counting", counting, { key: "machine" });
      const isSeen = async (times: string) => {
        await instance().clock.advance(1);
        const [seen] = (await events.detector("counting", "c")).state.variables;
        expect(seen.value).toBe(times);
      };
      await tell("Alarm", { machine: "c", value: 1 }, "retried");
      await tell("Alarm", { machine: "c", value: 1 }, "retried");
      await tell("Alarm", { machine: "c", value: 1 }, "another");
      await isSeen("2");
      // Each look advances by a millisecond, so the second of these is sent after exactly five minutes.
      await instance().clock.advance("299.998s");
      await tell("Alarm", { machine: "c", value: 1 }, "retried");
      await isSeen("2");
      await tell("Alarm", { machine: "c", value: 1 }, "retried");
      await isSeen("3");
      await instance().clock.resume();
    });
    it.each([
      ["$input.Odd._odd == 1", "Yes"],
      ["$input.Odd.`_odd` == 1", "Yes"],
      ["$input.Odd.`1st` == 2", "Yes"],
      ["$input.Odd.`two-words` == 3", "Yes"],
      ["isNull($input.Odd.nothing)", "Yes"],
      ["isUndefined($input.Odd.nothing)", "No"],
      ["isUndefined($input.Odd.never)", "Yes"],
      ["$input.Odd.`1st` * 9007199254740991 > 0", "No"],
    ])("read %s: %s", async (condition, state) => {
      const name = `odd-${++count}`;
      await events.createModel(name, when(condition), { key: "id" });
      await tell("Odd", { id: "o", _odd: 1, "1st": 2, "two-words": 3, nothing: null });
      await events.isIn(name, "o", state);
    });
    it("are refused at the place where they are wrong", async () => {
      const model = { detectorModelName: "wrong", detectorModelDefinition: when("$input.Odd.unknown == 1") };
      const { status, body } = await events.send("POST", "/detector-models", {
        ...model,
        roleArn: "arn:vendor:iam::111111111111:role/events",
        key: "id",
      });
      expect([status, body.message]).toEqual([400, expect.stringContaining("states[0]")]);
      expect(body.message).not.toContain("][");
    });
  },
  { services: ["events"] },
);
