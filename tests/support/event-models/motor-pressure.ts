/** Motors and their pressure. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { type ModelStory, NOTIFICATIONS, notification, type Step, set } from "./story.ts";

const PRESSURE = "$input.PressureInput.sensorData.pressure";
const pressure = (atSecond: number, motorid: string, value: number): Step => ({
  atSecond,
  inputName: "PressureInput",
  payload: { motorid, sensorData: { pressure: value } },
});
/** After one reading above 70 a motor is in danger until three in a row are not. */
export const motorPressure: ModelStory = {
  name: "motor-pressure",
  inputs: { PressureInput: [{ jsonPath: "motorid" }, { jsonPath: "sensorData.pressure" }] },
  key: "motorid",
  evaluationMethod: "BATCH",
  definition: {
    initialStateName: "Normal",
    states: [
      {
        stateName: "Normal",
        onEnter: { events: [{ eventName: "init", condition: "true", actions: [set("breached", "0")] }] },
        onInput: {
          transitionEvents: [
            {
              eventName: "Overpressurized",
              condition: `${PRESSURE} > 70`,
              actions: [set("breached", "$variable.breached + 3")],
              nextState: "Dangerous",
            },
          ],
        },
      },
      {
        stateName: "Dangerous",
        onEnter: {
          events: [
            { eventName: "Breached", condition: "$variable.breached > 1", actions: [notification("over")] },
          ],
        },
        onInput: {
          events: [
            { eventName: "StillOver", condition: `${PRESSURE} > 70`, actions: [set("breached", "3")] },
            {
              eventName: "Okay",
              condition: `${PRESSURE} <= 70`,
              actions: [set("breached", "$variable.breached - 1")],
            },
          ],
          transitionEvents: [
            {
              eventName: "BackToNormal",
              condition: `${PRESSURE} <= 70 && $variable.breached <= 1`,
              nextState: "Normal",
            },
          ],
        },
        onExit: {
          events: [{ eventName: "Restored", condition: "true", actions: [notification("restored")] }],
        },
      },
    ],
  },
  steps: [
    pressure(0, "A", 60),
    pressure(1, "B", 90),
    pressure(2, "A", 71),
    pressure(3, "A", 70),
    pressure(4, "B", 65),
    pressure(5, "A", 69),
    pressure(6, "A", 75),
    pressure(7, "A", 60),
    pressure(8, "A", 60),
    pressure(9, "A", 60),
    pressure(10, "A", 60),
    pressure(11, "B", 65),
  ],
  endSecond: 12,
  transitions: [
    "1 B: Normal → Dangerous (Overpressurized)",
    "2 A: Normal → Dangerous (Overpressurized)",
    "9 A: Dangerous → Normal (BackToNormal)",
  ],
  sent: [`1 B: ${NOTIFICATIONS}over`, `2 A: ${NOTIFICATIONS}over`, `9 A: ${NOTIFICATIONS}restored`],
  variables: { breached: "0" },
};
