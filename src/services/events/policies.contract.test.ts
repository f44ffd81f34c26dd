/** Every operation asks for its own permission, on the input or model that it is about; batches ask for each of theirs. */
import * as definition from "@aws-sdk/client-iot-events";
import * as data from "@aws-sdk/client-iot-events-data";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { accountWith, allow, deny, outcomeOf, type Policy } from "../../../tests/support/policies.ts";

/** `definition` and `data` calls take other clients. */
type Call = {
  readonly side: "definition" | "data";
  readonly resource: string | undefined;
  readonly make: (name: string, account: string) => any;
};

const attributes = { attributes: [{ jsonPath: "x" }] };
const detectorModelDefinition = { initialStateName: "s", states: [{ stateName: "s" }] };
const alarmRule = {
  simpleRule: { inputProperty: "$input.A.x", comparisonOperator: "GREATER" as const, threshold: "1" },
};
const roleOf = (account: string) => `arn:aws:iam::${account}:role/r`;
const state = { stateName: "s", variables: [], timers: [] };
const onInput = (make: (inputName: string) => object): Call => ({
  side: "definition",
  resource: "input",
  make,
});
const onDetectorModel = (make: Call["make"]): Call => ({
  side: "definition",
  resource: "detectorModel",
  make,
});
const onAlarmModel = (make: Call["make"]): Call => ({ side: "definition", resource: "alarmModel", make });
const onNothing = (make: Call["make"]): Call => ({ side: "definition", resource: undefined, make });
const onDetectors = (make: Call["make"]): Call => ({ side: "data", resource: "detectorModel", make });
const onAlarms = (make: Call["make"]): Call => ({ side: "data", resource: "alarmModel", make });
const arnOfModel = (name: string, account: string) =>
  `arn:aws:iotevents:us-east-1:${account}:detectorModel/${name}`;
const entry = (alarmModelName: string) => ({ requestId: "r", alarmModelName, keyValue: "k" });

/** Asked of an account that has nothing, so that what is allowed mostly ends in another error. */
const calls: Readonly<Record<string, Call>> = {
  CreateInput: onInput(
    (inputName) => new definition.CreateInputCommand({ inputName, inputDefinition: attributes }),
  ),
  DescribeInput: onInput((inputName) => new definition.DescribeInputCommand({ inputName })),
  UpdateInput: onInput(
    (inputName) => new definition.UpdateInputCommand({ inputName, inputDefinition: attributes }),
  ),
  DeleteInput: onInput((inputName) => new definition.DeleteInputCommand({ inputName })),
  ListInputs: onNothing(() => new definition.ListInputsCommand({})),
  ListInputRoutings: onNothing(
    (inputName) =>
      new definition.ListInputRoutingsCommand({
        inputIdentifier: { iotEventsInputIdentifier: { inputName } },
      }),
  ),
  CreateDetectorModel: onDetectorModel(
    (detectorModelName, account) =>
      new definition.CreateDetectorModelCommand({
        detectorModelName,
        detectorModelDefinition,
        roleArn: roleOf(account),
      }),
  ),
  DescribeDetectorModel: onDetectorModel(
    (detectorModelName) => new definition.DescribeDetectorModelCommand({ detectorModelName }),
  ),
  UpdateDetectorModel: onDetectorModel(
    (detectorModelName, account) =>
      new definition.UpdateDetectorModelCommand({
        detectorModelName,
        detectorModelDefinition,
        roleArn: roleOf(account),
      }),
  ),
  DeleteDetectorModel: onDetectorModel(
    (detectorModelName) => new definition.DeleteDetectorModelCommand({ detectorModelName }),
  ),
  ListDetectorModels: onNothing(() => new definition.ListDetectorModelsCommand({})),
  ListDetectorModelVersions: onDetectorModel(
    (detectorModelName) => new definition.ListDetectorModelVersionsCommand({ detectorModelName }),
  ),
  CreateAlarmModel: onAlarmModel(
    (alarmModelName, account) =>
      new definition.CreateAlarmModelCommand({ alarmModelName, alarmRule, roleArn: roleOf(account) }),
  ),
  DescribeAlarmModel: onAlarmModel(
    (alarmModelName) => new definition.DescribeAlarmModelCommand({ alarmModelName }),
  ),
  UpdateAlarmModel: onAlarmModel(
    (alarmModelName, account) =>
      new definition.UpdateAlarmModelCommand({ alarmModelName, alarmRule, roleArn: roleOf(account) }),
  ),
  DeleteAlarmModel: onAlarmModel(
    (alarmModelName) => new definition.DeleteAlarmModelCommand({ alarmModelName }),
  ),
  ListAlarmModels: onNothing(() => new definition.ListAlarmModelsCommand({})),
  ListAlarmModelVersions: onAlarmModel(
    (alarmModelName) => new definition.ListAlarmModelVersionsCommand({ alarmModelName }),
  ),
  StartDetectorModelAnalysis: onNothing(
    () => new definition.StartDetectorModelAnalysisCommand({ detectorModelDefinition }),
  ),
  DescribeDetectorModelAnalysis: onNothing(
    () => new definition.DescribeDetectorModelAnalysisCommand({ analysisId: "a" }),
  ),
  GetDetectorModelAnalysisResults: onNothing(
    () => new definition.GetDetectorModelAnalysisResultsCommand({ analysisId: "a" }),
  ),
  PutLoggingOptions: onNothing(
    (_, account) =>
      new definition.PutLoggingOptionsCommand({
        loggingOptions: { roleArn: roleOf(account), level: "ERROR", enabled: true },
      }),
  ),
  DescribeLoggingOptions: onNothing(() => new definition.DescribeLoggingOptionsCommand({})),
  TagResource: onDetectorModel(
    (name, account) =>
      new definition.TagResourceCommand({
        resourceArn: arnOfModel(name, account),
        tags: [{ key: "a", value: "b" }],
      }),
  ),
  UntagResource: onDetectorModel(
    (name, account) =>
      new definition.UntagResourceCommand({ resourceArn: arnOfModel(name, account), tagKeys: ["a"] }),
  ),
  ListTagsForResource: onDetectorModel(
    (name, account) => new definition.ListTagsForResourceCommand({ resourceArn: arnOfModel(name, account) }),
  ),
  BatchPutMessage: {
    side: "data",
    resource: "input",
    make: (inputName) =>
      new data.BatchPutMessageCommand({
        messages: [{ messageId: "m", inputName, payload: Buffer.from("{}") }],
      }),
  },
  BatchUpdateDetector: onDetectors(
    (detectorModelName) =>
      new data.BatchUpdateDetectorCommand({
        detectors: [{ messageId: "m", detectorModelName, keyValue: "k", state }],
      }),
  ),
  BatchDeleteDetector: onDetectors(
    (detectorModelName) =>
      new data.BatchDeleteDetectorCommand({
        detectors: [{ messageId: "m", detectorModelName, keyValue: "k" }],
      }),
  ),
  DescribeDetector: onDetectors(
    (detectorModelName) => new data.DescribeDetectorCommand({ detectorModelName }),
  ),
  ListDetectors: onDetectors((detectorModelName) => new data.ListDetectorsCommand({ detectorModelName })),
  DescribeAlarm: onAlarms((alarmModelName) => new data.DescribeAlarmCommand({ alarmModelName })),
  ListAlarms: onAlarms((alarmModelName) => new data.ListAlarmsCommand({ alarmModelName })),
  BatchAcknowledgeAlarm: onAlarms(
    (name) => new data.BatchAcknowledgeAlarmCommand({ acknowledgeActionRequests: [entry(name)] }),
  ),
  BatchDisableAlarm: onAlarms(
    (name) => new data.BatchDisableAlarmCommand({ disableActionRequests: [entry(name)] }),
  ),
  BatchEnableAlarm: onAlarms(
    (name) => new data.BatchEnableAlarmCommand({ enableActionRequests: [entry(name)] }),
  ),
  BatchResetAlarm: onAlarms(
    (name) => new data.BatchResetAlarmCommand({ resetActionRequests: [entry(name)] }),
  ),
  BatchSnoozeAlarm: onAlarms(
    (name) =>
      new data.BatchSnoozeAlarmCommand({ snoozeActionRequests: [{ ...entry(name), snoozeDuration: 60 }] }),
  ),
};

describe("permissions", () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ services: ["events"] });
  });
  afterAll(() => instance.stop());

  /** Makes an account of these policies, and asks: `allowed`, or the action that it misses. */
  async function ask(policies: Policy[], { side, make }: Call, name = "mine"): Promise<string> {
    const { id, settings } = await accountWith(instance, "/events", policies);
    const client: any =
      side === "data" ? new data.IoTEventsDataClient(settings) : new definition.IoTEventsClient(settings);
    return outcomeOf(client, () => client.send(make(name, id)));
  }

  it.each(Object.entries(calls))("%s needs its own permission and no other", async (name, call) => {
    const action = `iotevents:${name}`;
    expect(await ask([allow([action])], call)).toBe("allowed");
    expect(await ask([allow(["*"]), deny([action])], call)).toBe(action);
    expect(await ask([], call)).toBe(action);
  });
  it.each(Object.entries(calls).filter(([, { resource }]) => resource !== undefined))(
    "%s can be allowed for one resource alone",
    async (name, call) => {
      const action = `iotevents:${name}`;
      for (const partition of ["vendor", "aws"]) {
        const one = `arn:${partition}:iotevents:us-east-1:ACCOUNT:${call.resource}/mine`;
        expect(await ask([allow([action], [one])], call)).toBe("allowed");
      }
      const another = `arn:vendor:iotevents:us-east-1:ACCOUNT:${call.resource}/other`;
      expect(await ask([allow([action], [another])], call)).toBe(action);
    },
  );
  it("a batch needs the permission for each of its entries", async () => {
    const mine = allow(["iotevents:*"], ["arn:vendor:iotevents:us-east-1:ACCOUNT:*/mine"]);
    const batches: Record<string, Call["make"]> = {
      BatchPutMessage: (name) =>
        new data.BatchPutMessageCommand({
          messages: ["mine", name].map((inputName, index) => ({
            messageId: `m${index}`,
            inputName,
            payload: Buffer.from("{}"),
          })),
        }),
      BatchDeleteDetector: (name) =>
        new data.BatchDeleteDetectorCommand({
          detectors: ["mine", name].map((detectorModelName, index) => ({
            messageId: `m${index}`,
            detectorModelName,
          })),
        }),
      BatchUpdateDetector: (name) =>
        new data.BatchUpdateDetectorCommand({
          detectors: ["mine", name].map((detectorModelName, index) => ({
            messageId: `m${index}`,
            detectorModelName,
            state,
          })),
        }),
      BatchResetAlarm: (name) =>
        new data.BatchResetAlarmCommand({
          resetActionRequests: ["mine", name].map((model, index) => ({
            ...entry(model),
            requestId: `r${index}`,
          })),
        }),
    };
    for (const [operation, make] of Object.entries(batches)) {
      const call: Call = { side: "data", resource: undefined, make };
      expect(await ask([mine], call, "mine"), operation).toBe("allowed");
      expect(await ask([mine], call, "theirs")).toBe(`iotevents:${operation}`);
    }
  });
  it("knows every operation of both clients", () => {
    const commands = [definition, data].flatMap((client) =>
      Object.keys(client).flatMap((name) => /^([A-Z]\w+)Command$/.exec(name)?.[1] ?? []),
    );
    expect(Object.keys(calls).sort()).toEqual(commands.sort());
  });
});
