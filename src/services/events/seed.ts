/** Demo data: pressure of motors and temperature of shipments, with some hours of readings. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { arnOf } from "#kernel/arn";
import { addInput } from "./actions/inputs.ts";
import { createModel } from "./actions/models.ts";
import type { AlarmCapabilities, AlarmNotification, DetectorModelDefinition } from "./domain/index.ts";
import { Acceptance, activateModel, askForEvaluation } from "./jobs/index.ts";
import type { EventsContext } from "./state.ts";
import { findInput } from "./store/index.ts";

const REGION = "us-east-1";
const PRESSURE_INPUT = "MotorPressure";
const COLD_INPUT = "ColdChain";
const PRESSURE = `$input.${PRESSURE_INPUT}.bar`;
const CELSIUS = `$input.${COLD_INPUT}.celsius`;

/** Danger after one reading above 70; normal after three consecutive readings that are not. */
const motorPressure = (topicArn: string): DetectorModelDefinition => ({
  initialStateName: "Normal",
  states: [
    {
      stateName: "Normal",
      onEnter: {
        events: [
          { eventName: "begin", actions: [{ setVariable: { variableName: "breaches", value: "0" } }] },
        ],
      },
      onInput: {
        transitionEvents: [
          {
            eventName: "over pressure",
            condition: `${PRESSURE} > 70`,
            actions: [{ setVariable: { variableName: "breaches", value: "3" } }],
            nextState: "Dangerous",
          },
        ],
      },
    },
    {
      stateName: "Dangerous",
      onEnter: { events: [{ eventName: "warn", actions: [{ sns: { targetArn: topicArn } }] }] },
      onInput: {
        events: [
          {
            eventName: "still over",
            condition: `${PRESSURE} > 70`,
            actions: [{ setVariable: { variableName: "breaches", value: "3" } }],
          },
          {
            eventName: "under again",
            condition: `${PRESSURE} <= 70`,
            actions: [{ setVariable: { variableName: "breaches", value: "$variable.breaches - 1" } }],
          },
        ],
        transitionEvents: [
          {
            eventName: "recovered",
            condition: `${PRESSURE} <= 70 && $variable.breaches <= 1`,
            nextState: "Normal",
          },
        ],
      },
      onExit: {
        events: [
          { eventName: "all clear", actions: [{ iotTopicPublish: { mqttTopic: "motors/all-clear" } }] },
        ],
      },
    },
  ],
});

/** A shipment can be above -15 °C for half an hour. */
const coldChain: DetectorModelDefinition = {
  initialStateName: "Cold",
  states: [
    {
      stateName: "Cold",
      onInput: {
        transitionEvents: [{ eventName: "too warm", condition: `${CELSIUS} > -15`, nextState: "Warming" }],
      },
    },
    {
      stateName: "Warming",
      onEnter: {
        events: [{ eventName: "count down", actions: [{ setTimer: { timerName: "grace", seconds: 1800 } }] }],
      },
      onInput: {
        transitionEvents: [
          {
            eventName: "cold again",
            condition: `triggerType("Message") && ${CELSIUS} <= -18`,
            nextState: "Cold",
          },
          { eventName: "too long", condition: 'timeout("grace")', nextState: "Spoiled" },
        ],
      },
      onExit: { events: [{ eventName: "stop", actions: [{ clearTimer: { timerName: "grace" } }] }] },
    },
    {
      stateName: "Spoiled",
      onEnter: {
        events: [
          {
            eventName: "write off",
            actions: [
              {
                iotTopicPublish: {
                  mqttTopic: "'shipments/' + $input.ColdChain.shipment + '/spoiled'",
                  payload: { type: "JSON", contentExpression: `'{"celsius": \${${CELSIUS}}}'` },
                },
              },
            ],
          },
        ],
      },
    },
  ],
};

const capabilities: AlarmCapabilities = {
  initializationConfiguration: { disabledOnInitialization: false },
  acknowledgeFlow: { enabled: true },
};
const notification: AlarmNotification = {
  notificationActions: [
    {
      action: {},
      emailConfigurations: [
        {
          from: "cold-chain@example.org",
          content: { additionalMessage: "Please look at the cooling unit." },
          recipients: { to: [{ ssoIdentity: { identityStoreId: "d-0000000000", userId: "ann" } }] },
        },
      ],
    },
  ],
};

type Reading = { readonly inputName: string; readonly atMs: number; readonly payload: object };
const MINUTE_MS = 60_000;
const READINGS_EACH = 40;
const MOTORS = ["motor-1", "motor-2", "motor-3", "motor-4", "motor-5", "motor-6"];
/** Initial temperature in °C, and its change per reading. */
const SHIPMENTS: readonly (readonly [shipment: string, celsius: number, drift: number])[] = [
  ["oslo-7", -24, 0],
  ["turin-2", -20, -0.05],
  ["lille-4", -17, -0.1],
  ["split-9", -25, 0.3],
];
const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Readings of every two minutes until now. They follow waves, so that seeding is deterministic. */
function readings(nowMs: number): Reading[] {
  const all: Reading[] = [];
  for (let step = 0; step < READINGS_EACH; step += 1) {
    const atMs = nowMs - (READINGS_EACH - 1 - step) * 2 * MINUTE_MS;
    for (const [index, motor] of MOTORS.entries()) {
      const bar = rounded(58 + index * 2 + 9 * Math.sin(step / 4 + index));
      all.push({ inputName: PRESSURE_INPUT, atMs, payload: { motor, bar } });
    }
    for (const [shipment, first, drift] of SHIPMENTS) {
      const celsius = rounded(first + drift * step + 2 * Math.sin(step / 3));
      all.push({ inputName: COLD_INPUT, atMs, payload: { shipment, celsius } });
    }
  }
  return all;
}

async function makeModels(context: EventsContext): Promise<void> {
  const { account } = context;
  const roleArn = arnOf({ service: "iam", region: "", account, resource: "role/events" });
  const topicArn = arnOf({ service: "sns", region: REGION, account, resource: "motor-warnings" });
  const make = async (
    kind: "detector" | "alarm",
    name: string,
    description: string,
    key: string,
    definition: object,
  ) => {
    const wanted = { name, description, roleArn, key, definition, tags: [{ key: "demo", value: "yes" }] };
    const { model } = await createModel(context, REGION, kind, wanted);
    await activateModel(context, model.id);
  };
  await make("detector", "motor-pressure", "Motors and their pressure", "motor", {
    detectorModelDefinition: motorPressure(topicArn),
    evaluationMethod: "BATCH",
  });
  await make("detector", "cold-chain", "Shipments that must stay cold", "shipment", {
    detectorModelDefinition: coldChain,
    evaluationMethod: "SERIAL",
  });
  await make("alarm", "cold-chain-alarm", "Warmer than -16 °C", "shipment", {
    severity: 2,
    alarmRule: { simpleRule: { inputProperty: CELSIUS, comparisonOperator: "GREATER", threshold: "-16" } },
    alarmNotification: notification,
    alarmCapabilities: capabilities,
  });
}

export async function seed(context: EventsContext): Promise<void> {
  if (await findInput(context.db, context.account, REGION, PRESSURE_INPUT)) return;
  const inputs = [
    { inputName: PRESSURE_INPUT, inputDescription: "Pressure of motors, in bar", paths: ["motor", "bar"] },
    { inputName: COLD_INPUT, inputDescription: "Temperature of shipments", paths: ["shipment", "celsius"] },
  ];
  for (const { paths, ...input } of inputs)
    await addInput(context, REGION, {
      ...input,
      inputDefinition: { attributes: paths.map((jsonPath) => ({ jsonPath })) },
    });
  await makeModels(context);
  const acceptance = new Acceptance(context, REGION);
  for (const [index, { inputName, atMs, payload }] of readings(context.clock.nowMs()).entries())
    await acceptance.add({
      messageId: `demo-${index}`,
      inputName,
      text: JSON.stringify(payload),
      sentAtMs: atMs,
      depth: 0,
    });
  await acceptance.write();
  await askForEvaluation(context);
}
