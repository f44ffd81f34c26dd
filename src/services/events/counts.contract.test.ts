/** How much an account may have, and how much of a message is taken: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { alarmRule, base64, Events, pressureAttributes, role } from "../../../tests/support/events.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const MODELS_MAX = 1000;
const VERSIONS_MAX = 500;
const INPUTS_MAX = 1000;
const ALARMS_PER_INPUT_MAX = 100;
const ENDPOINTS_MAX = 200;
const PAYLOAD_BYTES_MAX = 16 * 1024;
const CHAIN_MAX = 10;
const RECENT_MAX = 5;
const RECENT_LENGTH_MAX = 1024;

const data = mkdtempSync(join(tmpdir(), "medley-models-"));
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["events"], data });
});
afterAll(async () => {
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});

/** Each region has its own inputs and models. */
const eventsIn = (region: string) => new Events(() => instance, "first", region);
const TAKEN = 200;
const CREATED = 201;
const TOO_MANY = 410;
const counting = {
  initialStateName: "Counting",
  states: [
    {
      stateName: "Counting",
      onEnter: {
        events: [{ eventName: "begin", actions: [{ setVariable: { variableName: "seen", value: "0" } }] }],
      },
      onInput: {
        events: [
          {
            eventName: "count",
            condition: 'currentInput("PressureInput")',
            actions: [
              { setVariable: { variableName: "seen", value: "$variable.seen + 1" } },
              {
                iotEvents: {
                  inputName: "PressureInput",
                  payload: { contentExpression: `'{"motorid":"m","pressure":1}'`, type: "JSON" },
                },
              },
            ],
          },
        ],
      },
    },
  ],
};
const modelBody = (detectorModelName: string) => ({
  detectorModelName,
  detectorModelDefinition: counting,
  roleArn: role,
  key: "motorid",
});

it("a thousand inputs in a region", async () => {
  const events = eventsIn("us-west-1");
  const create = async (inputName: string) => {
    const body = { inputName, inputDefinition: pressureAttributes };
    return (await events.send("POST", "/inputs", body)).status;
  };
  expect(await create("first")).toBe(CREATED);
  const changed = { name: "copied.name || n" };
  copyRow(data, {
    table: "events_input",
    count: INPUTS_MAX - 2,
    changed,
    where: "region = 'us-west-1'",
  });
  expect([await create("last"), await create("beyond")]).toEqual([CREATED, TOO_MANY]);
});

it("a thousand models of a kind in a region, and five hundred versions of each", async () => {
  const events = eventsIn("us-west-2");
  await events.createInput();
  await events.createModel("first", counting);
  const create = async (name: string) =>
    (await events.send("POST", "/detector-models", modelBody(name))).status;
  const ofRegion = "region = 'us-west-2'";
  const { detectorModelName: _name, key: _key, ...update } = modelBody("first");
  changeRows(data, (database) =>
    database.exec(`update events_model set latest_version = ${VERSIONS_MAX - 1} where ${ofRegion}`),
  );
  const updated = async () => (await events.send("POST", "/detector-models/first", update)).status;
  expect([await updated(), await updated()]).toEqual([TAKEN, TOO_MANY]);
  const changed = { name: "copied.name || n", id: "copied.id || n" };
  copyRow(data, { table: "events_model", count: MODELS_MAX - 2, changed, where: ofRegion });
  expect([await create("last"), await create("beyond")]).toEqual([TAKEN, TOO_MANY]);
});

it("a hundred alarm models that read an input", async () => {
  const events = eventsIn("eu-west-1");
  await events.createInput();
  await events.createAlarmModel("first");
  const changed = { model_id: "copied.model_id || n", model: "copied.model || n" };
  copyRow(data, {
    table: "events_route",
    count: ALARMS_PER_INPUT_MAX - 2,
    changed,
    where: "region = 'eu-west-1'",
  });
  const create = async (alarmModelName: string) =>
    (await events.send("POST", "/alarm-models", { alarmModelName, roleArn: role, alarmRule })).status;
  expect(await create("last")).toBe(TAKEN);
  await events.isActive("/alarm-models/last");
  expect(await create("beyond")).toBe(TOO_MANY);
});

it("two hundred endpoints, any of which can be changed", async () => {
  const events = eventsIn("us-east-1");
  const put = async (name: string) => {
    const arn = `arn:vendor:sns:us-east-1:111111111111:${name}`;
    return (await events.send("PUT", "/endpoints", { arn, url: "https://example.org/" })).status;
  };
  expect(await put("first")).toBe(TAKEN);
  const changed = { arn: "copied.arn || n" };
  copyRow(data, { table: "events_endpoint", count: ENDPOINTS_MAX - 2, changed });
  expect([await put("last"), await put("beyond"), await put("last")]).toEqual([TAKEN, TOO_MANY, TAKEN]);
  const { endpoints } = await events.well("GET", "/endpoints");
  expect(endpoints).toHaveLength(ENDPOINTS_MAX);
});

it("16 KB of a message; of the newest five the console shows the first 1024 characters", async () => {
  const events = eventsIn("eu-west-2");
  await events.createInput();
  const { onInput: _onInput, ...state } = counting.states[0]!;
  const still = { eventName: "still", condition: 'currentInput("PressureInput")' };
  const quiet = { ...counting, states: [{ ...state, onInput: { events: [still] } }] };
  await events.createModel("quiet", quiet);
  const text = (bytes: number) => {
    const frame = JSON.stringify({ motorid: "m", text: "" }).length;
    return JSON.stringify({ motorid: "m", text: "x".repeat(bytes - frame) });
  };
  const put = async (...bytes: number[]): Promise<string[]> => {
    const messages = bytes.map((count) => ({
      messageId: `m${count}`,
      inputName: "PressureInput",
      payload: base64(text(count)),
    }));
    const { body } = await events.data("POST", "/inputs/messages", { messages });
    return body.BatchPutMessageErrorEntries.map(({ messageId }: { messageId: string }) => messageId);
  };
  expect(await put(PAYLOAD_BYTES_MAX, PAYLOAD_BYTES_MAX + 1)).toEqual([`m${PAYLOAD_BYTES_MAX + 1}`]);
  expect(await put(100, 101, 102, RECENT_LENGTH_MAX, RECENT_LENGTH_MAX + 1)).toEqual([]);
  const recent = () =>
    changeRows(data, (database) => database.prepare("select recent from events_instance").get()) as
      | { recent: string }
      | undefined;
  const lines = await eventually(() => {
    const kept = recent()?.recent.split("\n") ?? [];
    return kept[0]?.includes(`m${RECENT_LENGTH_MAX + 1}`) && kept;
  }, "the last message is evaluated");
  expect(lines).toHaveLength(RECENT_MAX);
  const payloads = lines.map((line) => JSON.parse(line)[3] as string);
  expect(payloads.slice(0, 2)).toEqual([
    `${text(RECENT_LENGTH_MAX + 1).slice(0, RECENT_LENGTH_MAX)}…`,
    text(RECENT_LENGTH_MAX),
  ]);
});

it("ten messages from model to model; what comes of the last is not sent", async () => {
  const events = eventsIn("eu-central-1");
  await events.createInput();
  await events.createModel("circle", counting);
  await events.pressure("m", 1);
  const text = `It went from input to input ${CHAIN_MAX} times`;
  await eventually(async () => {
    const { body } = await instance.bearer("GET", "/_medley/views/events?view=Log&limit=100");
    return JSON.stringify(body).includes(text);
  }, "the end of the chain");
  const detector = await events.detector("circle", "m");
  expect(detector.state.variables).toEqual([{ name: "seen", value: String(CHAIN_MAX + 1) }]);
});

it("the console counts a thousand detectors in a state, draws twenty models and lists detectors of all", async () => {
  const view = async () => {
    const { body, status, text } = await instance.bearer("GET", "/_medley/views/events?limit=2");
    expect(status, text).toBe(200);
    return body.views.find(({ title }: { title: string }) => title === "Detectors and alarms");
  };
  const circle = "(select id from events_model where name = 'circle')";
  const countOf = async (count: number) => {
    changeRows(data, (database) => database.exec("delete from events_instance where key like 'copy%'"));
    const where = `model_id = ${circle}`;
    copyRow(data, { table: "events_instance", count: count - 1, changed: { key: "'copy' || n" }, where });
    const { drawings } = await view();
    return drawings.find(({ title }: { title: string }) => title.startsWith("circle,")).title;
  };
  changeRows(data, (database) => database.exec("delete from events_model where name <> 'circle'"));
  expect([await countOf(999), await countOf(1000)]).toEqual([
    "circle, version 1: 999 detectors in Counting",
    "circle, version 1: 1000 detectors or more in Counting",
  ]);
  const newer = { id: "copied.id || n", name: "'newer' || n", created_at: "copied.created_at + 1000" };
  copyRow(data, { table: "events_model", count: 21, changed: newer, where: "name = 'circle'" });
  const versions = { model_id: "copied.model_id || n" };
  copyRow(data, { table: "events_version", count: 21, changed: versions, where: `model_id = ${circle}` });
  const { drawings, rows } = await view();
  expect([drawings.length, rows[0][0], rows.length]).toEqual([20, "circle", 2]);
});
