/** Alerts of which the same are told together. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { type ModelStory, type Step, set, topic } from "./story.ts";

const alert = (atSecond: number, code: string): Step => ({
  atSecond,
  inputName: "Alert",
  payload: { site: "north", code },
});
/** The first of equal alerts goes out; those of the next five minutes are counted and told of together. */
export const duplicateSuppression: ModelStory = {
  name: "duplicate-suppression",
  inputs: { Alert: [{ jsonPath: "site" }, { jsonPath: "code" }] },
  key: "site",
  evaluationMethod: "BATCH",
  definition: {
    initialStateName: "Quiet",
    states: [
      {
        stateName: "Quiet",
        onInput: {
          transitionEvents: [
            {
              eventName: "first",
              condition: 'triggerType("Message")',
              actions: [
                set("code", "$input.Alert.code"),
                set("suppressed", "0"),
                topic("'alerts/' + $input.Alert.code", '\'{"code": "${$input.Alert.code}"}\''),
              ],
              nextState: "Suppressing",
            },
          ],
        },
      },
      {
        stateName: "Suppressing",
        onEnter: {
          events: [{ eventName: "window", actions: [{ setTimer: { timerName: "window", seconds: 300 } }] }],
        },
        onInput: {
          events: [
            {
              eventName: "again",
              condition: 'triggerType("Message") && $input.Alert.code == $variable.code',
              actions: [set("suppressed", "$variable.suppressed + 1")],
            },
          ],
          transitionEvents: [
            {
              eventName: "another",
              condition: 'triggerType("Message") && $input.Alert.code != $variable.code',
              actions: [
                set("code", "$input.Alert.code"),
                topic("'alerts/' + $input.Alert.code", '\'{"code": "${$input.Alert.code}"}\''),
              ],
              nextState: "Suppressing",
            },
            { eventName: "over", condition: 'timeout("window")', nextState: "Quiet" },
          ],
        },
        onExit: {
          events: [
            {
              eventName: "summary",
              condition: "$variable.suppressed > 0",
              actions: [
                topic("alerts/summary", "'{\"suppressed\": ${$variable.suppressed}}'"),
                set("suppressed", "0"),
              ],
            },
          ],
        },
      },
    ],
  },
  steps: [
    alert(0, "E1"),
    alert(10, "E1"),
    alert(20, "E1"),
    alert(310, "E1"),
    alert(400, "E1"),
    alert(450, "E2"),
    alert(460, "E2"),
    alert(800, "E2"),
  ],
  endSecond: 1200,
  transitions: [
    "0 north: Quiet → Suppressing (first)",
    "300 north: Suppressing → Quiet (over)",
    "310 north: Quiet → Suppressing (first)",
    "450 north: Suppressing → Suppressing (another)",
    "750 north: Suppressing → Quiet (over)",
    "800 north: Quiet → Suppressing (first)",
    "1100 north: Suppressing → Quiet (over)",
  ],
  sent: [
    '0 north: topic alerts/E1 {"code": "E1"}',
    '300 north: topic alerts/summary {"suppressed": 2}',
    '310 north: topic alerts/E1 {"code": "E1"}',
    '450 north: topic alerts/E2 {"code": "E2"}',
    '450 north: topic alerts/summary {"suppressed": 1}',
    '750 north: topic alerts/summary {"suppressed": 1}',
    '800 north: topic alerts/E2 {"code": "E2"}',
  ],
  variables: { code: '"E2"', suppressed: "0" },
};
