/** The pumps, their models, and who tells of them: what all parts of the story share. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import * as definition from "@aws-sdk/client-iot-events";
import * as data from "@aws-sdk/client-iot-events-data";
import { expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { clientOptions } from "../../support/maker-client.ts";
import { type AccountName, accounts, type Instance } from "../../support/medley.ts";

export const account = accounts.first.id;
export const arn = (resource: string) => `arn:aws:iotevents:us-east-1:${account}:${resource}`;
export const roleArn = `arn:aws:iam::${account}:role/pumps`;
export const alertTopic = `arn:aws:sns:us-east-1:${account}:pump-alerts`;

export const BAR = "$input.PumpReading.bar";
export const pumpDefinition: definition.DetectorModelDefinition = {
  initialStateName: "Fine",
  states: [
    {
      stateName: "Fine",
      onEnter: {
        events: [{ eventName: "begin", actions: [{ setVariable: { variableName: "high", value: "0" } }] }],
      },
      onInput: {
        events: [
          {
            eventName: "count",
            condition: `${BAR} > 8`,
            actions: [{ setVariable: { variableName: "high", value: "$variable.high + 1" } }],
          },
        ],
        transitionEvents: [
          { eventName: "tooHigh", condition: `${BAR} > 8 && $variable.high >= 2`, nextState: "Stressed" },
        ],
      },
    },
    {
      stateName: "Stressed",
      onEnter: {
        events: [
          {
            eventName: "tell",
            actions: [
              {
                sns: {
                  targetArn: alertTopic,
                  payload: { type: "JSON", contentExpression: '\'{"pump": "${$input.PumpReading.pump}"}\'' },
                },
              },
              { setTimer: { timerName: "cooling", durationExpression: "120" } },
            ],
          },
        ],
      },
      onInput: {
        transitionEvents: [{ eventName: "cooled", condition: 'timeout("cooling")', nextState: "Fine" }],
      },
    },
  ],
};
export const alarmRule: definition.AlarmRule = {
  simpleRule: { inputProperty: BAR, comparisonOperator: "GREATER_OR_EQUAL", threshold: "10" },
};

export class EventsStory {
  readonly instance: () => Instance;
  readonly #made: { destroy(): void }[] = [];
  #models: definition.IoTEventsClient | undefined;
  #messages: data.IoTEventsDataClient | undefined;
  #count = 0;
  constructor(instance: () => Instance) {
    this.instance = instance;
  }
  get models(): definition.IoTEventsClient {
    this.#models ??= this.definitionClient();
    return this.#models;
  }
  get messages(): data.IoTEventsDataClient {
    this.#messages ??= this.dataClient();
    return this.#messages;
  }
  end(): void {
    for (const client of this.#made) client.destroy();
  }
  #settingsOf(as: AccountName, region: string) {
    return clientOptions(this.instance(), "events", as, region);
  }
  definitionClient(as: AccountName = "first", region = "us-east-1"): definition.IoTEventsClient {
    const client = new definition.IoTEventsClient(this.#settingsOf(as, region));
    this.#made.push(client);
    return client;
  }
  dataClient(as: AccountName = "first", region = "us-east-1"): data.IoTEventsDataClient {
    const client = new data.IoTEventsDataClient(this.#settingsOf(as, region));
    this.#made.push(client);
    return client;
  }
  async put(...readings: object[]): Promise<void> {
    const answer = await this.messages.send(
      new data.BatchPutMessageCommand({
        messages: readings.map((reading) => {
          this.#count += 1;
          return {
            messageId: `m-${this.#count}`,
            inputName: "PumpReading",
            payload: Buffer.from(JSON.stringify(reading)),
            timestamp: { timeInMillis: this.instance().clock.nowMs() },
          };
        }),
      }),
    );
    expect(answer.BatchPutMessageErrorEntries).toEqual([]);
  }
  inputIsActive(inputName: string): Promise<boolean> {
    return eventually(async () => {
      const { input } = await this.models.send(new definition.DescribeInputCommand({ inputName }));
      return input?.inputConfiguration?.status === "ACTIVE";
    }, `the input ${inputName} is active`);
  }
  detectorIn(keyValue: string, stateName: string) {
    return eventually(async () => {
      const found = await this.messages
        .send(new data.DescribeDetectorCommand({ detectorModelName: "pumps", keyValue }))
        .catch(() => undefined);
      return found?.detector?.state?.stateName === stateName && found.detector;
    }, `the pump ${keyValue} is ${stateName}`);
  }
  alarmIn(keyValue: string, stateName: string) {
    return eventually(async () => {
      const found = await this.messages
        .send(new data.DescribeAlarmCommand({ alarmModelName: "burst", keyValue }))
        .catch(() => undefined);
      return found?.alarm?.alarmState?.stateName === stateName && found.alarm;
    }, `the alarm ${keyValue} is ${stateName}`);
  }
}
