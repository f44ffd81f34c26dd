/** Odd models and messages over HTTP, on both databases: refused in words or taken, never a failure, and nothing gets stuck. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { beforeAll, expect, it } from "vitest";
import { base64, Events, motorModel, role } from "../../../tests/support/events.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const ODD_TEXTS = [
  "\u0000",
  "\ud800",
  "\u202e",
  "👩‍🚀",
  "'",
  "${",
  "'${$input.PressureInput.motorid}'",
  "__proto__",
  "constructor",
  "%00",
  "; DROP TABLE events_message; --",
  "<script>alert(1)</script>",
  "a".repeat(1000),
  "$input.PressureInput.__proto__",
  "1e400",
  "-".repeat(500),
  "(".repeat(500),
];
const ODD_VALUES: readonly unknown[] = [null, true, -0, 1e308, [], {}, [[[]]], { pressure: 1 }, ...ODD_TEXTS];

onBothDatabases(
  "odd input",
  (instance) => {
    const events = new Events(instance);
    beforeAll(async () => {
      await events.createInput();
      await events.createModel("motors", motorModel);
    });

    it("odd definitions are refused, or become models", async () => {
      let count = 0;
      const changes: ((text: string) => object)[] = [
        (text) => ({ condition: text }),
        (text) => ({ eventName: text }),
        (text) => ({ actions: [{ setVariable: { variableName: text, value: "1" } }] }),
        (text) => ({ actions: [{ setVariable: { variableName: "v", value: text } }] }),
        (text) => ({ actions: [{ setTimer: { timerName: text, seconds: 60 } }] }),
        (text) => ({ actions: [{ setTimer: { timerName: "t", durationExpression: text } }] }),
        (text) => ({ actions: [{ iotTopicPublish: { mqttTopic: text } }] }),
        (text) => ({
          actions: [{ sns: { targetArn: text, payload: { contentExpression: text, type: "JSON" } } }],
        }),
        (text) => ({ actions: [{ dynamoDB: { tableName: text, hashKeyField: text, hashKeyValue: text } }] }),
        (text) => ({ [text]: text }),
      ];
      for (const text of ODD_TEXTS)
        for (const change of changes) {
          count += 1;
          const { status, body } = await events.send("POST", "/detector-models", {
            detectorModelName: `odd-${count}`,
            roleArn: role,
            key: "motorid",
            detectorModelDefinition: {
              initialStateName: "s",
              states: [
                {
                  stateName: "s",
                  onInput: {
                    events: [
                      { eventName: "seen", condition: 'currentInput("PressureInput")' },
                      { eventName: "e", ...change(text) },
                    ],
                  },
                },
              ],
            },
          });
          expect([text.slice(0, 40), status]).toEqual([text.slice(0, 40), expect.toBeOneOf([200, 400, 410])]);
          if (status !== 200) expect(body.message).toMatch(/./);
          else await events.send("DELETE", `/detector-models/odd-${count}`);
        }
    });

    it("odd messages are refused in their entries, or evaluated; the next one is too", async () => {
      for (const value of ODD_VALUES) {
        const payloads = [
          { motorid: "odd", pressure: value },
          { motorid: value, pressure: 1 },
          { motorid: "odd", pressure: 1, more: value },
          value,
        ];
        const { status, body } = await events.data("POST", "/inputs/messages", {
          messages: payloads.map((payload, index) => ({
            messageId: `m${index}`,
            inputName: "PressureInput",
            payload: base64(JSON.stringify(payload)),
          })),
        });
        expect(status).toBe(200);
        for (const { errorCode } of body.BatchPutMessageErrorEntries)
          expect(errorCode).toBe("InvalidRequestException");
      }
      const deep = (inside: string) =>
        `{"motorid":"odd","pressure":${"[".repeat(7000)}${inside}${"]".repeat(7000)}}`;
      const { body } = await events.data("POST", "/inputs/messages", {
        messages: ["1", "1.0"].map((inside, index) => ({
          messageId: `d${index}`,
          inputName: "PressureInput",
          payload: base64(deep(inside)),
        })),
      });
      expect(body.BatchPutMessageErrorEntries).toHaveLength(2);
      await events.pressure("odd", 1, 1, 1, 80);
      await events.isIn("motors", "odd", "Dangerous");
      await events.pressure("after", 80);
      await events.isIn("motors", "after", "Dangerous");
    });

    it("odd states are refused in their entries, or kept", async () => {
      await events.pressure("state", 1);
      await events.isIn("motors", "state", "Normal");
      for (const text of ODD_TEXTS) {
        const entry = {
          messageId: "m",
          detectorModelName: "motors",
          keyValue: "state",
          state: {
            stateName: "Normal",
            variables: [{ name: "breaches", value: text }],
            timers: [{ name: text, seconds: 60 }],
          },
        };
        const { status } = await events.data("POST", "/detectors", { detectors: [entry] });
        expect([text.slice(0, 40), status]).toEqual([text.slice(0, 40), expect.toBeOneOf([200, 400])]);
        const read = await events.data("GET", "/detectors/motors/keyValues/?keyValue=state");
        expect(read.status).toBe(200);
      }
      await events.pressure("state", 80);
      await events.isIn("motors", "state", "Dangerous");
    });
  },
  { services: ["events"] },
);
