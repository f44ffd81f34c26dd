/** Trucks that fall silent. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { type ModelStory, NOTIFICATIONS, notification, type Step, topic } from "./story.ts";

const beat = (atSecond: number, truck: string): Step => ({
  atSecond,
  inputName: "Heartbeat",
  payload: { truck, battery: 80 },
});
/** Late after two minutes of silence, lost after ten more. */
export const fleetHeartbeat: ModelStory = {
  name: "fleet-heartbeat",
  inputs: { Heartbeat: [{ jsonPath: "truck" }, { jsonPath: "battery" }] },
  key: "truck",
  evaluationMethod: "BATCH",
  definition: {
    initialStateName: "Online",
    states: [
      {
        stateName: "Online",
        onEnter: {
          events: [{ eventName: "listen", actions: [{ setTimer: { timerName: "silence", seconds: 120 } }] }],
        },
        onInput: {
          events: [
            {
              eventName: "heard",
              condition: 'currentInput("Heartbeat")',
              actions: [{ resetTimer: { timerName: "silence" } }],
            },
          ],
          transitionEvents: [{ eventName: "silent", condition: 'timeout("silence")', nextState: "Late" }],
        },
      },
      {
        stateName: "Late",
        onEnter: {
          events: [
            {
              eventName: "wait",
              actions: [
                { setTimer: { timerName: "patience", seconds: 600 } },
                topic("fleet/late", "'{\"battery\": ${$input.Heartbeat.battery}}'"),
              ],
            },
          ],
        },
        onInput: {
          transitionEvents: [
            { eventName: "back", condition: 'triggerType("Message")', nextState: "Online" },
            { eventName: "gone", condition: 'timeout("patience")', nextState: "Lost" },
          ],
        },
        onExit: {
          events: [{ eventName: "stopWaiting", actions: [{ clearTimer: { timerName: "patience" } }] }],
        },
      },
      {
        stateName: "Lost",
        onEnter: { events: [{ eventName: "raise", actions: [notification("lost")] }] },
        onInput: {
          transitionEvents: [
            { eventName: "found", condition: 'triggerType("Message")', nextState: "Online" },
          ],
        },
      },
    ],
  },
  steps: [beat(0, "T1"), beat(30, "T2"), beat(100, "T1"), beat(219, "T1"), beat(500, "T1"), beat(2000, "T2")],
  endSecond: 2060,
  transitions: [
    "150 T2: Online → Late (silent)",
    "339 T1: Online → Late (silent)",
    "500 T1: Late → Online (back)",
    "620 T1: Online → Late (silent)",
    "750 T2: Late → Lost (gone)",
    "1220 T1: Late → Lost (gone)",
    "2000 T2: Lost → Online (found)",
  ],
  sent: [
    '150 T2: topic fleet/late {"battery": 80}',
    '339 T1: topic fleet/late {"battery": 80}',
    '620 T1: topic fleet/late {"battery": 80}',
    `750 T2: ${NOTIFICATIONS}lost`,
    `1220 T1: ${NOTIFICATIONS}lost`,
  ],
  variables: {},
};
