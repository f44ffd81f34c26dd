/** A thermostat with hysteresis, and a least time to run. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { type ModelStory, type Step, set, topic } from "./story.ts";

const DEGREES = "$input.RoomClimate.degrees";
const degrees = (atSecond: number, value: number): Step => ({
  atSecond,
  inputName: "RoomClimate",
  payload: { room: "attic", degrees: value },
});
const climate = (name: string, atSecond: number) => `${atSecond} attic: topic climate/${name}`;
/** On below 20, off above 22, and never off before three minutes have gone by. */
export const thermostat: ModelStory = {
  name: "thermostat",
  inputs: {
    RoomClimate: [{ jsonPath: "room" }, { jsonPath: "degrees" }],
    RoomWish: [{ jsonPath: "room" }, { jsonPath: "wanted" }],
  },
  key: "room",
  evaluationMethod: "SERIAL",
  definition: {
    initialStateName: "Idle",
    states: [
      {
        stateName: "Idle",
        onEnter: {
          events: [
            {
              eventName: "begin",
              condition: "isUndefined($variable.wanted)",
              actions: [set("wanted", "21"), set("cycles", "0")],
            },
          ],
        },
        onInput: {
          events: [
            {
              eventName: "wish",
              condition: 'currentInput("RoomWish")',
              actions: [set("wanted", "$input.RoomWish.wanted")],
            },
          ],
          transitionEvents: [
            {
              eventName: "TooCold",
              condition: `${DEGREES} < $variable.wanted - 1`,
              actions: [set("cycles", "$variable.cycles + 1")],
              nextState: "Heating",
            },
          ],
        },
      },
      {
        stateName: "Heating",
        onEnter: {
          events: [
            {
              eventName: "on",
              actions: [
                topic("climate/on", "'{\"cycle\": ${$variable.cycles}}'"),
                { setTimer: { timerName: "minimum", durationExpression: "3 * 60" } },
                set("mayStop", "false"),
              ],
            },
          ],
        },
        onInput: {
          events: [
            {
              eventName: "ranLongEnough",
              condition: 'timeout("minimum")',
              actions: [set("mayStop", "true")],
            },
          ],
          transitionEvents: [
            {
              eventName: "WarmEnough",
              condition: `$variable.mayStop && ${DEGREES} > $variable.wanted + 1`,
              nextState: "Idle",
            },
          ],
        },
        onExit: {
          events: [
            { eventName: "off", actions: [topic("climate/off"), { clearTimer: { timerName: "minimum" } }] },
          ],
        },
      },
    ],
  },
  steps: [
    degrees(0, 21),
    degrees(10, 20),
    degrees(20, 19.9),
    degrees(60, 21),
    degrees(100, 22.5),
    degrees(300, 21.5),
    degrees(360, 20.5),
    degrees(400, 19),
    degrees(600, 21),
    degrees(610, 22),
    degrees(620, 22.1),
    { atSecond: 700, inputName: "RoomWish", payload: { room: "attic", wanted: 24 } },
  ],
  endSecond: 900,
  transitions: [
    "20 attic: Idle → Heating (TooCold)",
    "200 attic: Heating → Idle (WarmEnough)",
    "400 attic: Idle → Heating (TooCold)",
    "620 attic: Heating → Idle (WarmEnough)",
    "700 attic: Idle → Heating (TooCold)",
  ],
  sent: [
    `${climate("on", 20)} {"cycle": 1}`,
    climate("off", 200),
    `${climate("on", 400)} {"cycle": 2}`,
    climate("off", 620),
    `${climate("on", 700)} {"cycle": 3}`,
  ],
  variables: { wanted: "24", cycles: "3", mayStop: "true" },
};
