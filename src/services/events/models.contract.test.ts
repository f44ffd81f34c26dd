/** Five realistic models over HTTP, on both databases and on a clock that travels: every transition at its second. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { MODEL_STORIES, type ModelStory } from "../../../tests/support/event-models/index.ts";
import { base64, Events } from "../../../tests/support/events.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import type { LogRow } from "./command.ts";

const EVENT_NAME = /by the event "([^"]+)"/;

const keyOf = ({ key }: ModelStory, payload: unknown): string =>
  (payload as Record<string, string>)[key] ?? "";

type Letter = {
  readonly createdAt: string;
  readonly headers: Record<string, string>;
  readonly target: string;
  readonly body: any;
};
/** As the story writes it, but for the time; a payload of the model's own is written behind. */
function letterLine({ headers, target, body }: Letter): string {
  const place = target.includes(":iot:") ? `topic ${target.split(":topic/")[1]}` : `notification ${target}`;
  const isStandard = body.payload?.actionExecutionId !== undefined;
  return `${headers.key}: ${place}${isStandard ? "" : ` ${JSON.stringify(body)}`}`;
}
const spaceless = (line: string): string => line.replaceAll('": ', '":').replaceAll(', "', ',"');

/** What is told of the levels that escalation sends to its other input. */
const incidentModel = {
  initialStateName: "Heard",
  states: [
    {
      stateName: "Heard",
      onInput: {
        events: [
          {
            eventName: "level",
            condition: 'currentInput("Incident")',
            actions: [{ setVariable: { variableName: "level", value: "$input.Incident.level" } }],
          },
        ],
      },
    },
  ],
};

onBothDatabases("the five models", (instance) => {
  const events = new Events(instance);
  beforeAll(() => instance().clock.freeze());
  afterAll(() => instance().clock.resume());

  const view = async (title: string): Promise<readonly unknown[][]> => {
    const { body } = await instance().bearer(
      "GET",
      `/_medley/views/events?view=${encodeURIComponent(title)}&limit=500`,
    );
    return body.views[0].rows;
  };
  /** Waits until the model has seen the message: it is the newest of those that the console shows, heard at this time. */
  const isSeen = (model: string, key: string, payload: string) =>
    eventually(
      async () =>
        (await view("Detectors and alarms")).some(
          ([name, owner, , , heard, recent]) =>
            name === model &&
            owner === key &&
            heard === new Date(instance().clock.nowMs()).toISOString() &&
            String(recent).split(" · ")[0]?.endsWith(payload),
        ),
      `${model} ${key} has seen ${payload}`,
    );

  async function tell(story: ModelStory): Promise<number> {
    for (const [inputName, attributes] of Object.entries(story.inputs))
      await events.createInput(inputName, { attributes });
    const definition = JSON.parse(JSON.stringify(story.definition).replaceAll("arn:aws:", "arn:vendor:"));
    const { key, evaluationMethod } = story;
    await events.createModel(story.name, definition, { key, evaluationMethod });
    if (story.inputs.Incident) await events.createModel("incidents", incidentModel, { key });
    const beginMs = instance().clock.nowMs();
    const travel = async (second: number) => {
      const waitMs = beginMs + second * 1000 - instance().clock.nowMs();
      if (waitMs > 0) await instance().clock.advance(`${waitMs / 1000}s`);
    };
    for (const { atSecond, inputName, payload } of story.steps) {
      await travel(atSecond);
      const text = JSON.stringify(payload);
      const { body } = await events.data("POST", "/inputs/messages", {
        messages: [{ messageId: `s${atSecond}`, inputName, payload: base64(text) }],
      });
      expect(body).toEqual({ BatchPutMessageErrorEntries: [] });
      await isSeen(story.name, keyOf(story, payload), text);
    }
    await travel(story.endSecond);
    return beginMs;
  }

  it.each(MODEL_STORIES)("$name", async (story) => {
    const beginMs = await tell(story);
    const secondOf = (time: string) => (Date.parse(time) - beginMs) / 1000;
    const log = (await view("Log"))
      .map((row) => row as unknown as LogRow)
      .filter(([, , model]) => model === story.name)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    expect(
      log
        .filter(([, , , , what]) => what === "transition")
        .map(
          ([, time, , key, , from, to, text]) =>
            `${secondOf(time)} ${key}: ${from} → ${to} (${EVENT_NAME.exec(text)?.[1]})`,
        ),
    ).toEqual(story.transitions);
    expect(log.filter(([, , , , what]) => what === "error")).toEqual([]);

    const sent = (await events.outbox("topic")) as Letter[];
    const own = sent
      .filter(({ headers }) => headers.model === story.name)
      .map((letter) => `${secondOf(letter.createdAt)} ${letterLine(letter)}`);
    const wanted = story.sent
      .filter((line) => !line.includes(": input "))
      .map((line) => spaceless(line.replace("arn:aws:", "arn:vendor:")));
    expect(own.sort()).toEqual(wanted.sort());

    const detector = await events.detector(story.name, keyOf(story, story.steps[0]?.payload));
    const variables = detector.state.variables.map(({ name, value }: Record<string, string>) => [
      name,
      value,
    ]);
    expect(Object.fromEntries(variables)).toEqual(story.variables);
  });

  it("what escalation sent to another input arrived there", async () => {
    const { state } = await events.isIn("incidents", "T9", "Heard");
    expect(state.variables).toEqual([{ name: "level", value: "3" }]);
  });
});
