/** A tank that runs low, and who is told of it. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { json, type ModelStory, NOTIFICATIONS, notification, type Step, set, topic } from "./story.ts";

const level = (atSecond: number, litres: number): Step => ({
  atSecond,
  inputName: "TankLevel",
  payload: { tank: "T9", litres },
});
const operator = (atSecond: number, name: string | null): Step => ({
  atSecond,
  inputName: "Operator",
  payload: { tank: "T9", name },
});
/** The team first; after five minutes without an answer the chief, again every ten. */
export const escalation: ModelStory = {
  name: "escalation",
  inputs: {
    TankLevel: [{ jsonPath: "tank" }, { jsonPath: "litres" }],
    Operator: [{ jsonPath: "tank" }, { jsonPath: "name" }],
    Incident: [{ jsonPath: "tank" }, { jsonPath: "level" }],
  },
  key: "tank",
  evaluationMethod: "SERIAL",
  definition: {
    initialStateName: "Fine",
    states: [
      {
        stateName: "Fine",
        onEnter: { events: [{ eventName: "calm", actions: [set("pages", "0"), set("owner", "'nobody'")] }] },
        onInput: {
          transitionEvents: [
            { eventName: "low", condition: "$input.TankLevel.litres < 100", nextState: "Warned" },
          ],
        },
      },
      {
        stateName: "Warned",
        onEnter: {
          events: [
            {
              eventName: "team",
              actions: [notification("team"), { setTimer: { timerName: "answer", seconds: 300 } }],
            },
          ],
        },
        onInput: {
          events: [
            {
              eventName: "taken",
              condition: 'currentInput("Operator") && !isNull($input.Operator.name)',
              actions: [set("owner", "$input.Operator.name"), { clearTimer: { timerName: "answer" } }],
            },
          ],
          transitionEvents: [
            { eventName: "refilled", condition: "$input.TankLevel.litres >= 150", nextState: "Fine" },
            { eventName: "handled", condition: "$variable.owner != 'nobody'", nextState: "Handled" },
            { eventName: "unanswered", condition: 'timeout("answer")', nextState: "Escalated" },
          ],
        },
      },
      {
        stateName: "Escalated",
        onEnter: {
          events: [
            {
              eventName: "chief",
              actions: [
                set("pages", "$variable.pages + 1"),
                notification("chief"),
                {
                  iotEvents: {
                    inputName: "Incident",
                    payload: json('\'{"tank": "${$input.TankLevel.tank}", "level": ${$variable.pages}}\''),
                  },
                },
                { setTimer: { timerName: "again", durationExpression: "600" } },
              ],
            },
          ],
        },
        onInput: {
          transitionEvents: [
            {
              eventName: "handled",
              condition: 'currentInput("Operator") && !isNull($input.Operator.name)',
              actions: [set("owner", "$input.Operator.name")],
              nextState: "Handled",
            },
            { eventName: "stillUnanswered", condition: 'timeout("again")', nextState: "Escalated" },
          ],
        },
        onExit: { events: [{ eventName: "stop", actions: [{ clearTimer: { timerName: "again" } }] }] },
      },
      {
        stateName: "Handled",
        onEnter: {
          events: [{ eventName: "tell", actions: [topic("'tanks/handled/' + $variable.owner")] }],
        },
        onInput: {
          transitionEvents: [
            { eventName: "refilled", condition: "$input.TankLevel.litres >= 150", nextState: "Fine" },
          ],
        },
      },
    ],
  },
  steps: [
    level(0, 200),
    level(60, 90),
    operator(100, null),
    level(200, 80),
    operator(1600, "ines"),
    level(1700, 140),
    level(1800, 180),
    level(2000, 50),
    operator(2100, "juri"),
    level(2200, 400),
  ],
  endSecond: 4000,
  transitions: [
    "60 T9: Fine → Warned (low)",
    "360 T9: Warned → Escalated (unanswered)",
    "960 T9: Escalated → Escalated (stillUnanswered)",
    "1560 T9: Escalated → Escalated (stillUnanswered)",
    "1600 T9: Escalated → Handled (handled)",
    "1800 T9: Handled → Fine (refilled)",
    "2000 T9: Fine → Warned (low)",
    "2100 T9: Warned → Handled (handled)",
    "2200 T9: Handled → Fine (refilled)",
  ],
  sent: [
    `60 T9: ${NOTIFICATIONS}team`,
    `360 T9: ${NOTIFICATIONS}chief`,
    '360 T9: input Incident {"tank": "T9", "level": 1}',
    `960 T9: ${NOTIFICATIONS}chief`,
    '960 T9: input Incident {"tank": "T9", "level": 2}',
    `1560 T9: ${NOTIFICATIONS}chief`,
    '1560 T9: input Incident {"tank": "T9", "level": 3}',
    "1600 T9: topic tanks/handled/ines",
    `2000 T9: ${NOTIFICATIONS}team`,
    "2100 T9: topic tanks/handled/juri",
  ],
  variables: { pages: "0", owner: '"nobody"' },
};
