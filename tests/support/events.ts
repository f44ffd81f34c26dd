/** Event detection in tests: models, messages, and a caller that signs. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import { accounts, type Instance, type SendOptions } from "./medley.ts";

export const account = accounts.first.id;
export const role = `arn:vendor:iam::${account}:role/events`;
export const base64 = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64");

/** Normal below 70, Dangerous above; it counts how often the pressure was too high. */
export const motorModel = {
  initialStateName: "Normal",
  states: [
    {
      stateName: "Normal",
      onEnter: {
        events: [
          {
            eventName: "init",
            condition: "true",
            actions: [{ setVariable: { variableName: "breaches", value: "0" } }],
          },
        ],
      },
      onInput: {
        transitionEvents: [
          {
            eventName: "overpressured",
            condition: "$input.PressureInput.pressure > 70",
            actions: [{ setVariable: { variableName: "breaches", value: "$variable.breaches + 3" } }],
            nextState: "Dangerous",
          },
        ],
      },
    },
    {
      stateName: "Dangerous",
      onEnter: {
        events: [
          {
            eventName: "tell",
            condition: "$variable.breaches > 1",
            actions: [{ sns: { targetArn: `arn:vendor:sns:us-east-1:${account}:alarms` } }],
          },
        ],
      },
      onInput: {
        events: [
          {
            eventName: "again",
            condition: "$input.PressureInput.pressure > 70",
            actions: [{ setVariable: { variableName: "breaches", value: "3" } }],
          },
          {
            eventName: "fine",
            condition: "$input.PressureInput.pressure <= 70",
            actions: [{ setVariable: { variableName: "breaches", value: "$variable.breaches - 1" } }],
          },
        ],
        transitionEvents: [
          {
            eventName: "recovered",
            condition: "$input.PressureInput.pressure <= 70 && $variable.breaches <= 1",
            nextState: "Normal",
          },
        ],
      },
      onExit: {
        events: [
          {
            eventName: "relief",
            condition: "true",
            actions: [{ iotTopicPublish: { mqttTopic: "motors/recovered" } }],
          },
        ],
      },
    },
  ],
};
/** Silent after ten minutes without a heartbeat. */
export const heartbeatModel = {
  initialStateName: "Alive",
  states: [
    {
      stateName: "Alive",
      onEnter: {
        events: [
          {
            eventName: "start",
            condition: "true",
            actions: [{ setTimer: { timerName: "silence", seconds: 600 } }],
          },
        ],
      },
      onInput: {
        events: [
          {
            eventName: "beat",
            condition: 'currentInput("PressureInput")',
            actions: [{ resetTimer: { timerName: "silence" } }],
          },
        ],
        transitionEvents: [{ eventName: "silent", condition: 'timeout("silence")', nextState: "Silent" }],
      },
    },
    {
      stateName: "Silent",
      onInput: {
        transitionEvents: [
          { eventName: "back", condition: 'currentInput("PressureInput")', nextState: "Alive" },
        ],
      },
    },
  ],
};
export const pressureAttributes = { attributes: [{ jsonPath: "motorid" }, { jsonPath: "pressure" }] };
export const alarmRule = {
  simpleRule: {
    inputProperty: "$input.PressureInput.pressure",
    comparisonOperator: "GREATER",
    threshold: "70",
  },
};

export class Events {
  readonly instance: () => Instance;
  readonly as: SendOptions["as"];
  readonly region: string;
  constructor(instance: () => Instance, as: SendOptions["as"] = "first", region = "us-east-1") {
    this.instance = instance;
    this.as = as;
    this.region = region;
  }
  #signed(service: string, method: string, path: string, body?: unknown) {
    return this.instance().signed(service, method, `/events${path}`, { body, as: this.as }, this.region);
  }
  /** The definition side. */
  send(method: string, path: string, body?: unknown) {
    return this.#signed("iotevents", method, path, body);
  }
  /** The data side. */
  data(method: string, path: string, body?: unknown) {
    return this.#signed("ioteventsdata", method, path, body);
  }
  async well(method: string, path: string, body?: unknown) {
    const answer = await this.send(method, path, body);
    expect([answer.status, answer.text]).toEqual([expect.toSatisfy((s: number) => s < 300), answer.text]);
    return answer.body;
  }

  async createInput(inputName = "PressureInput", inputDefinition: object = pressureAttributes) {
    await this.well("POST", "/inputs", { inputName, inputDefinition });
  }
  async createModel(
    detectorModelName: string,
    detectorModelDefinition: object,
    more: object = { key: "motorid" },
  ) {
    await this.well("POST", "/detector-models", {
      detectorModelName,
      detectorModelDefinition,
      roleArn: this.as === "second" ? role.replace(account, accounts.second.id) : role,
      ...more,
    });
    await this.isActive(`/detector-models/${detectorModelName}`);
  }
  async createAlarmModel(alarmModelName: string, more: object = {}) {
    await this.well("POST", "/alarm-models", {
      alarmModelName,
      roleArn: role,
      key: "motorid",
      severity: 3,
      alarmRule,
      alarmCapabilities: {
        initializationConfiguration: { disabledOnInitialization: false },
        acknowledgeFlow: { enabled: true },
      },
      ...more,
    });
    await this.isActive(`/alarm-models/${alarmModelName}`);
  }
  statusOf = async (path: string): Promise<string> => {
    const { body } = await this.send("GET", path);
    return body.status ?? body.detectorModel?.detectorModelConfiguration.status;
  };
  isActive(path: string) {
    return eventually(async () => (await this.statusOf(path)) === "ACTIVE", `${path} is active`);
  }

  /** Payloads to one input, in this order. */
  async put(...payloads: unknown[]) {
    for (let start = 0; start < payloads.length; start += 10) {
      const messages = payloads.slice(start, start + 10).map((payload) => ({
        messageId: randomUUID(),
        inputName: "PressureInput",
        payload: base64(payload),
      }));
      const { status, body } = await this.data("POST", "/inputs/messages", { messages });
      expect([status, body]).toEqual([200, { BatchPutMessageErrorEntries: [] }]);
    }
  }
  pressure(motorid: string, ...pressures: number[]) {
    return this.put(...pressures.map((pressure) => ({ motorid, pressure })));
  }
  async detector(model: string, key?: string) {
    const query = key === undefined ? "" : `?keyValue=${encodeURIComponent(key)}`;
    const { status, body } = await this.data("GET", `/detectors/${model}/keyValues/${query}`);
    return status === 200 ? body.detector : undefined;
  }
  async alarm(model: string, key?: string) {
    const query = key === undefined ? "" : `?keyValue=${encodeURIComponent(key)}`;
    const { status, body } = await this.data("GET", `/alarms/${model}/keyValues/${query}`);
    return status === 200 ? body.alarm : undefined;
  }
  isIn(model: string, key: string | undefined, stateName: string) {
    return eventually(async () => {
      const detector = await this.detector(model, key);
      return detector?.state.stateName === stateName && detector;
    }, `${model} ${key} is ${stateName}`);
  }
  isAlarmIn(model: string, key: string | undefined, stateName: string) {
    return eventually(async () => {
      const alarm = await this.alarm(model, key);
      return alarm?.alarmState.stateName === stateName && alarm;
    }, `${model} ${key} is ${stateName}`);
  }
  async outbox(kind: string) {
    const { body } = await this.instance().bearer(
      "GET",
      `/_medley/outbox?service=events&kind=${kind}&limit=500`,
      {
        as: this.as ?? "first",
      },
    );
    return body.messages;
  }
}
