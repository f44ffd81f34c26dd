/** A week with pumps and their alarms, told by the maker's two clients, unmodified: every operation is reached through them. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import * as definition from "@aws-sdk/client-iot-events";
import * as data from "@aws-sdk/client-iot-events-data";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type AccountName, accounts, onBothDatabases } from "../support/medley.ts";

const account = accounts.first.id;
const arn = (resource: string) => `arn:aws:iotevents:us-east-1:${account}:${resource}`;
const roleArn = `arn:aws:iam::${account}:role/pumps`;
const alertTopic = `arn:aws:sns:us-east-1:${account}:pump-alerts`;

const BAR = "$input.PumpReading.bar";
const pumpDefinition: definition.DetectorModelDefinition = {
  initialStateName: "Fine",
  states: [
    {
      stateName: "Fine",
      onEnter: {
        events: [{ eventName: "begin", actions: [{ setVariable: { variableName: "high", value: "0" } }] }],
      },
      onInput: {
        events: [
          {
            eventName: "count",
            condition: `${BAR} > 8`,
            actions: [{ setVariable: { variableName: "high", value: "$variable.high + 1" } }],
          },
        ],
        transitionEvents: [
          { eventName: "tooHigh", condition: `${BAR} > 8 && $variable.high >= 2`, nextState: "Stressed" },
        ],
      },
    },
    {
      stateName: "Stressed",
      onEnter: {
        events: [
          {
            eventName: "tell",
            actions: [
              {
                sns: {
                  targetArn: alertTopic,
                  payload: { type: "JSON", contentExpression: '\'{"pump": "${$input.PumpReading.pump}"}\'' },
                },
              },
              { setTimer: { timerName: "cooling", durationExpression: "120" } },
            ],
          },
        ],
      },
      onInput: {
        transitionEvents: [{ eventName: "cooled", condition: 'timeout("cooling")', nextState: "Fine" }],
      },
    },
  ],
};
const alarmRule: definition.AlarmRule = {
  simpleRule: { inputProperty: BAR, comparisonOperator: "GREATER_OR_EQUAL", threshold: "10" },
};

onBothDatabases(
  "the maker's clients",
  (instance) => {
    const made: { destroy(): void }[] = [];
    const settingsOf = (as: AccountName, region: string) => {
      const [key] = accounts[as].accessKeys;
      return {
        endpoint: `${instance().url}/events`,
        region,
        credentials: { accessKeyId: key!.id, secretAccessKey: key!.secret },
        maxAttempts: 1,
      };
    };
    const definitionClient = (as: AccountName = "first", region = "us-east-1") => {
      const client = new definition.IoTEventsClient(settingsOf(as, region));
      made.push(client);
      return client;
    };
    const dataClient = (as: AccountName = "first", region = "us-east-1") => {
      const client = new data.IoTEventsDataClient(settingsOf(as, region));
      made.push(client);
      return client;
    };
    let models: definition.IoTEventsClient;
    let messages: data.IoTEventsDataClient;
    beforeAll(async () => {
      models = definitionClient();
      messages = dataClient();
      await instance().clock.freeze();
    });
    afterAll(() => {
      for (const client of made) client.destroy();
    });

    let count = 0;
    const put = async (...readings: object[]) => {
      const answer = await messages.send(
        new data.BatchPutMessageCommand({
          messages: readings.map((reading) => {
            count += 1;
            return {
              messageId: `m-${count}`,
              inputName: "PumpReading",
              payload: Buffer.from(JSON.stringify(reading)),
              timestamp: { timeInMillis: instance().clock.nowMs() },
            };
          }),
        }),
      );
      expect(answer.BatchPutMessageErrorEntries).toEqual([]);
    };
    const inputIsActive = (inputName: string) =>
      eventually(async () => {
        const { input } = await models.send(new definition.DescribeInputCommand({ inputName }));
        return input?.inputConfiguration?.status === "ACTIVE";
      }, `the input ${inputName} is active`);
    const detectorIn = (keyValue: string, stateName: string) =>
      eventually(async () => {
        const found = await messages
          .send(new data.DescribeDetectorCommand({ detectorModelName: "pumps", keyValue }))
          .catch(() => undefined);
        return found?.detector?.state?.stateName === stateName && found.detector;
      }, `the pump ${keyValue} is ${stateName}`);
    const alarmIn = (keyValue: string, stateName: string) =>
      eventually(async () => {
        const found = await messages
          .send(new data.DescribeAlarmCommand({ alarmModelName: "burst", keyValue }))
          .catch(() => undefined);
        return found?.alarm?.alarmState?.stateName === stateName && found.alarm;
      }, `the alarm ${keyValue} is ${stateName}`);

    describe("definitions", () => {
      it("inputs are made, read, changed and listed", async () => {
        const { inputConfiguration } = await models.send(
          new definition.CreateInputCommand({
            inputName: "PumpReading",
            inputDescription: "What pumps tell",
            inputDefinition: { attributes: [{ jsonPath: "pump" }, { jsonPath: "bar" }] },
            tags: [{ key: "plant", value: "north" }],
          }),
        );
        expect(inputConfiguration).toMatchObject({
          inputName: "PumpReading",
          inputArn: arn("input/PumpReading"),
          creationTime: expect.any(Date),
          status: "CREATING",
        });
        await inputIsActive("PumpReading");
        await models.send(
          new definition.UpdateInputCommand({
            inputName: "PumpReading",
            inputDescription: "What pumps say",
            inputDefinition: {
              attributes: [{ jsonPath: "pump" }, { jsonPath: "bar" }, { jsonPath: "limit" }],
            },
          }),
        );
        const { input } = await models.send(
          new definition.DescribeInputCommand({ inputName: "PumpReading" }),
        );
        expect(input?.inputConfiguration?.inputDescription).toBe("What pumps say");
        expect(input?.inputDefinition?.attributes).toHaveLength(3);
        await models.send(
          new definition.CreateInputCommand({
            inputName: "Unused",
            inputDefinition: { attributes: [{ jsonPath: "x" }] },
          }),
        );
        const first = await models.send(new definition.ListInputsCommand({ maxResults: 1 }));
        const second = await models.send(
          new definition.ListInputsCommand({ maxResults: 1, nextToken: first.nextToken }),
        );
        expect(
          [first, second].flatMap(({ inputSummaries = [] }) =>
            inputSummaries.map(({ inputName }) => inputName),
          ),
        ).toEqual(["PumpReading", "Unused"]);
        await inputIsActive("Unused");
        await models.send(new definition.DeleteInputCommand({ inputName: "Unused" }));
        await inputIsActive("PumpReading");
      });

      it("a detector model is analysed, made and becomes active", async () => {
        const { analysisId } = await models.send(
          new definition.StartDetectorModelAnalysisCommand({ detectorModelDefinition: pumpDefinition }),
        );
        await eventually(
          async () =>
            (await models.send(new definition.DescribeDetectorModelAnalysisCommand({ analysisId })))
              .status === "COMPLETE",
          "the analysis is complete",
        );
        const found: definition.AnalysisResult[] = [];
        let nextToken: string | undefined;
        do {
          const page = await models.send(
            new definition.GetDetectorModelAnalysisResultsCommand({ analysisId, maxResults: 2, nextToken }),
          );
          found.push(...(page.analysisResults ?? []));
          nextToken = page.nextToken;
        } while (nextToken !== undefined);
        expect(found.filter(({ level }) => level === "ERROR")).toEqual([]);
        expect(found).toContainEqual({
          type: "data-type",
          level: "INFO",
          message: "Inferred data types [Integer] for $variable.high",
          locations: [],
        });

        const { detectorModelConfiguration } = await models.send(
          new definition.CreateDetectorModelCommand({
            detectorModelName: "pumps",
            detectorModelDefinition: pumpDefinition,
            detectorModelDescription: "Stress of pumps",
            key: "pump",
            roleArn,
            evaluationMethod: "SERIAL",
            tags: [{ key: "plant", value: "north" }],
          }),
        );
        expect(detectorModelConfiguration).toMatchObject({
          detectorModelName: "pumps",
          detectorModelVersion: "1",
          detectorModelArn: arn("detectorModel/pumps"),
          roleArn,
          status: "ACTIVATING",
          key: "pump",
          evaluationMethod: "SERIAL",
          creationTime: expect.any(Date),
        });
        const described = await eventually(async () => {
          const { detectorModel } = await models.send(
            new definition.DescribeDetectorModelCommand({ detectorModelName: "pumps" }),
          );
          return detectorModel?.detectorModelConfiguration?.status === "ACTIVE" && detectorModel;
        }, "the model is active");
        expect(described.detectorModelDefinition).toEqual(pumpDefinition);
      });

      it("an alarm model is made", async () => {
        const createdModel = await models.send(
          new definition.CreateAlarmModelCommand({
            alarmModelName: "burst",
            alarmModelDescription: "Before a pipe bursts",
            roleArn,
            key: "pump",
            severity: 5,
            alarmRule,
            alarmEventActions: { alarmActions: [{ iotTopicPublish: { mqttTopic: "pumps/burst" } }] },
            alarmNotification: {
              notificationActions: [
                {
                  action: {
                    lambdaAction: { functionArn: `arn:aws:lambda:us-east-1:${account}:function:notify` },
                  },
                  emailConfigurations: [
                    {
                      from: "pumps@example.org",
                      content: { subject: "A pump is about to burst", additionalMessage: "Close the valve." },
                      recipients: {
                        to: [{ ssoIdentity: { identityStoreId: "d-1234567890", userId: "ann" } }],
                      },
                    },
                  ],
                },
              ],
            },
            alarmCapabilities: {
              initializationConfiguration: { disabledOnInitialization: false },
              acknowledgeFlow: { enabled: true },
            },
          }),
        );
        expect(createdModel).toMatchObject({
          alarmModelArn: arn("alarmModel/burst"),
          alarmModelVersion: "1",
          creationTime: expect.any(Date),
        });
        const described = await eventually(async () => {
          const answer = await models.send(
            new definition.DescribeAlarmModelCommand({ alarmModelName: "burst" }),
          );
          return answer.status === "ACTIVE" && answer;
        }, "the alarm model is active");
        expect(described).toMatchObject({ severity: 5, key: "pump", alarmRule, roleArn });
      });

      it("says who listens to an input", async () => {
        const { routedResources = [] } = await models.send(
          new definition.ListInputRoutingsCommand({
            inputIdentifier: { iotEventsInputIdentifier: { inputName: "PumpReading" } },
          }),
        );
        expect(routedResources.map(({ name, arn: told }) => [name, told]).sort()).toEqual([
          ["burst", arn("alarmModel/burst")],
          ["pumps", arn("detectorModel/pumps")],
        ]);
      });
    });

    describe("messages", () => {
      it("move a detector, and its timer brings it back", async () => {
        await put({ pump: "p1", bar: 9 }, { pump: "p2", bar: 3 });
        await detectorIn("p1", "Fine");
        await put({ pump: "p1", bar: 9.5 });
        const stressed = await detectorIn("p1", "Stressed");
        expect(stressed).toMatchObject({
          detectorModelName: "pumps",
          keyValue: "p1",
          detectorModelVersion: "1",
          creationTime: expect.any(Date),
          lastUpdateTime: expect.any(Date),
        });
        expect(stressed.state?.variables).toEqual([{ name: "high", value: "2" }]);
        expect(stressed.state?.timers).toEqual([
          { name: "cooling", timestamp: new Date(instance().clock.nowMs() + 120_000) },
        ]);
        const { body } = await instance().bearer("GET", "/_medley/outbox?service=events&kind=topic");
        expect(body.messages).toContainEqual(
          expect.objectContaining({ target: alertTopic, body: { pump: "p1" } }),
        );
        await instance().clock.advance("2m");
        await detectorIn("p1", "Fine");
      });

      it("are refused one by one, in the answer", async () => {
        const { BatchPutMessageErrorEntries } = await messages.send(
          new data.BatchPutMessageCommand({
            messages: [
              { messageId: "a", inputName: "PumpReading", payload: Buffer.from("no json") },
              { messageId: "b", inputName: "Nothing", payload: Buffer.from("{}") },
            ],
          }),
        );
        expect(BatchPutMessageErrorEntries).toEqual([
          { messageId: "a", errorCode: "InvalidRequestException", errorMessage: expect.any(String) },
          { messageId: "b", errorCode: "ResourceNotFoundException", errorMessage: expect.any(String) },
        ]);
      });

      it("detectors are listed, put into a state, and taken away", async () => {
        await detectorIn("p2", "Fine");
        const listed = await messages.send(
          new data.ListDetectorsCommand({ detectorModelName: "pumps", stateName: "Fine", maxResults: 1 }),
        );
        expect(listed.detectorSummaries).toHaveLength(1);
        const rest = await messages.send(
          new data.ListDetectorsCommand({
            detectorModelName: "pumps",
            stateName: "Fine",
            nextToken: listed.nextToken,
          }),
        );
        expect(rest.detectorSummaries?.map(({ keyValue }) => keyValue)).toEqual(["p2"]);
        const updated = await messages.send(
          new data.BatchUpdateDetectorCommand({
            detectors: [
              {
                messageId: "u1",
                detectorModelName: "pumps",
                keyValue: "p2",
                state: {
                  stateName: "Stressed",
                  variables: [{ name: "high", value: "7" }],
                  timers: [{ name: "cooling", seconds: 60 }],
                },
              },
              {
                messageId: "u2",
                detectorModelName: "pumps",
                keyValue: "p9",
                state: { stateName: "Fine", variables: [], timers: [] },
              },
            ],
          }),
        );
        expect(updated.batchUpdateDetectorErrorEntries).toEqual([
          expect.objectContaining({ messageId: "u2", errorCode: "ResourceNotFoundException" }),
        ]);
        expect((await detectorIn("p2", "Stressed")).state?.variables).toEqual([{ name: "high", value: "7" }]);
        await instance().clock.advance("1m");
        await detectorIn("p2", "Fine");
        const gone = await messages.send(
          new data.BatchDeleteDetectorCommand({
            detectors: [{ messageId: "d1", detectorModelName: "pumps", keyValue: "p2" }],
          }),
        );
        expect(gone.batchDeleteDetectorErrorEntries).toEqual([]);
        await expect(
          messages.send(new data.DescribeDetectorCommand({ detectorModelName: "pumps", keyValue: "p2" })),
        ).rejects.toThrow(data.ResourceNotFoundException);
      });
    });

    describe("alarms", () => {
      const request = { requestId: "r1", alarmModelName: "burst", keyValue: "p1" };
      const actions: [string, string, () => Promise<{ errorEntries?: data.BatchAlarmActionErrorEntry[] }>][] =
        [
          [
            "acknowledged",
            "ACKNOWLEDGED",
            () =>
              messages.send(
                new data.BatchAcknowledgeAlarmCommand({
                  acknowledgeActionRequests: [{ ...request, note: "on my way" }],
                }),
              ),
          ],
          [
            "reset",
            "NORMAL",
            () => messages.send(new data.BatchResetAlarmCommand({ resetActionRequests: [request] })),
          ],
          [
            "disabled",
            "DISABLED",
            () => messages.send(new data.BatchDisableAlarmCommand({ disableActionRequests: [request] })),
          ],
          [
            "enabled",
            "NORMAL",
            () => messages.send(new data.BatchEnableAlarmCommand({ enableActionRequests: [request] })),
          ],
          [
            "snoozed",
            "SNOOZE_DISABLED",
            () =>
              messages.send(
                new data.BatchSnoozeAlarmCommand({
                  snoozeActionRequests: [{ ...request, snoozeDuration: 300 }],
                }),
              ),
          ],
        ];
      it("goes off by its rule, and tells people", async () => {
        await put({ pump: "p1", bar: 12 });
        const alarm = await alarmIn("p1", "ACTIVE");
        expect(alarm).toMatchObject({
          alarmModelName: "burst",
          alarmModelVersion: "1",
          keyValue: "p1",
          severity: 5,
          creationTime: expect.any(Date),
        });
        expect(alarm.alarmState?.ruleEvaluation).toEqual({
          simpleRuleEvaluation: {
            inputPropertyValue: "12",
            operator: "GREATER_OR_EQUAL",
            thresholdValue: "10",
          },
        });
        const { body } = await instance().bearer("GET", "/_medley/outbox?service=events&kind=mail");
        expect(body.messages[0]).toMatchObject({ target: "ann", subject: "A pump is about to burst" });
        expect(body.messages[0].body).toContain("Close the valve.");
      });
      it.each(actions)("is %s by a person", async (_, stateName, act) => {
        expect((await act()).errorEntries).toEqual([]);
        const { alarmState } = await alarmIn("p1", stateName);
        expect(alarmState?.customerAction?.actionName).toMatch(/^[A-Z]+$/);
      });
      it("wakes by itself into the state that its rule has then", async () => {
        await put({ pump: "p1", bar: 11 });
        await instance().clock.advance("5m");
        const { alarmState } = await alarmIn("p1", "ACTIVE");
        expect(alarmState?.systemEvent).toEqual({
          eventType: "STATE_CHANGE",
          stateChangeConfiguration: { triggerType: "SNOOZE_TIMEOUT" },
        });
        const { alarmSummaries } = await messages.send(
          new data.ListAlarmsCommand({ alarmModelName: "burst" }),
        );
        expect(alarmSummaries).toContainEqual(
          expect.objectContaining({ keyValue: "p1", stateName: "ACTIVE" }),
        );
      });
      it("of nobody is an entry's error", async () => {
        const { errorEntries } = await messages.send(
          new data.BatchResetAlarmCommand({ resetActionRequests: [{ ...request, keyValue: "nobody" }] }),
        );
        expect(errorEntries).toEqual([
          expect.objectContaining({ requestId: "r1", errorCode: "ResourceNotFoundException" }),
        ]);
      });
    });

    describe("afterwards", () => {
      it("versions follow each other", async () => {
        await models.send(
          new definition.UpdateDetectorModelCommand({
            detectorModelName: "pumps",
            detectorModelDefinition: pumpDefinition,
            roleArn,
            evaluationMethod: "BATCH",
          }),
        );
        const versions = await eventually(async () => {
          const { detectorModelVersionSummaries = [] } = await models.send(
            new definition.ListDetectorModelVersionsCommand({ detectorModelName: "pumps" }),
          );
          return detectorModelVersionSummaries[0]?.status === "ACTIVE" && detectorModelVersionSummaries;
        }, "the second version is active");
        expect(
          versions.map(({ detectorModelVersion, evaluationMethod }) => [
            detectorModelVersion,
            evaluationMethod,
          ]),
        ).toEqual([
          ["2", "BATCH"],
          ["1", "SERIAL"],
        ]);
        const { detectorModelSummaries } = await models.send(new definition.ListDetectorModelsCommand({}));
        expect(detectorModelSummaries?.map(({ detectorModelName }) => detectorModelName)).toEqual(["pumps"]);
        await models.send(
          new definition.UpdateAlarmModelCommand({
            alarmModelName: "burst",
            roleArn,
            alarmRule,
            severity: 7,
          }),
        );
        const { alarmModelVersionSummaries } = await models.send(
          new definition.ListAlarmModelVersionsCommand({ alarmModelName: "burst" }),
        );
        expect(alarmModelVersionSummaries?.map(({ alarmModelVersion }) => alarmModelVersion)).toEqual([
          "2",
          "1",
        ]);
        const { alarmModelSummaries } = await models.send(new definition.ListAlarmModelsCommand({}));
        expect(alarmModelSummaries?.map(({ alarmModelName }) => alarmModelName)).toEqual(["burst"]);
      });

      it("tags and logging options are kept", async () => {
        const resourceArn = arn("detectorModel/pumps");
        await models.send(
          new definition.TagResourceCommand({ resourceArn, tags: [{ key: "owner", value: "ann" }] }),
        );
        await models.send(new definition.UntagResourceCommand({ resourceArn, tagKeys: ["plant"] }));
        const { tags } = await models.send(new definition.ListTagsForResourceCommand({ resourceArn }));
        expect(tags).toEqual([{ key: "owner", value: "ann" }]);
        const loggingOptions: definition.LoggingOptions = {
          roleArn,
          level: "DEBUG",
          enabled: true,
          detectorDebugOptions: [{ detectorModelName: "pumps", keyValue: "p1" }],
        };
        await models.send(new definition.PutLoggingOptionsCommand({ loggingOptions }));
        expect((await models.send(new definition.DescribeLoggingOptionsCommand({}))).loggingOptions).toEqual(
          loggingOptions,
        );
      });

      it("errors are the clients' own classes", async () => {
        const create = (changes: Partial<definition.CreateDetectorModelCommandInput>) =>
          models.send(
            new definition.CreateDetectorModelCommand({
              detectorModelName: "other",
              detectorModelDefinition: pumpDefinition,
              roleArn,
              ...changes,
            }),
          );
        await expect(create({ detectorModelName: "pumps" })).rejects.toThrow(
          definition.ResourceAlreadyExistsException,
        );
        const broken = JSON.parse(JSON.stringify(pumpDefinition).replace(`${BAR} > 8"`, `${BAR} >"`));
        const refusal = create({ detectorModelDefinition: broken });
        await expect(refusal).rejects.toThrow(definition.InvalidRequestException);
        await expect(refusal).rejects.toThrow("states[0].onInput.events[0].condition");
        const [first] = pumpDefinition.states ?? [];
        const large = {
          ...pumpDefinition,
          states: [
            ...(pumpDefinition.states ?? []),
            ...Array.from({ length: 20 }, (_, index) => ({ ...first, stateName: `S${index}` })),
          ],
        };
        await expect(create({ detectorModelDefinition: large })).rejects.toThrow(
          definition.LimitExceededException,
        );
        await expect(
          models.send(new definition.DescribeInputCommand({ inputName: "Nothing" })),
        ).rejects.toThrow(definition.ResourceNotFoundException);
        await expect(
          models.send(new definition.DeleteInputCommand({ inputName: "PumpReading" })),
        ).rejects.toThrow(definition.ResourceInUseException);
        await expect(
          messages.send(new data.ListDetectorsCommand({ detectorModelName: "nothing" })),
        ).rejects.toThrow(data.ResourceNotFoundException);
        await expect(
          messages.send(new data.ListDetectorsCommand({ detectorModelName: "pumps", nextToken: "made up" })),
        ).rejects.toThrow(data.InvalidRequestException);
      });

      it("other accounts and regions see nothing of it", async () => {
        for (const client of [definitionClient("second"), definitionClient("first", "eu-west-1")])
          expect((await client.send(new definition.ListInputsCommand({}))).inputSummaries).toEqual([]);
        for (const client of [dataClient("second"), dataClient("first", "eu-west-1")])
          await expect(
            client.send(new data.DescribeDetectorCommand({ detectorModelName: "pumps", keyValue: "p1" })),
          ).rejects.toThrow(data.ResourceNotFoundException);
      });

      it("everything goes away in order", async () => {
        await models.send(new definition.DeleteDetectorModelCommand({ detectorModelName: "pumps" }));
        await models.send(new definition.DeleteAlarmModelCommand({ alarmModelName: "burst" }));
        await eventually(async () => {
          try {
            await models.send(new definition.DeleteInputCommand({ inputName: "PumpReading" }));
            return true;
          } catch (error) {
            if (!(error instanceof definition.ResourceInUseException)) throw error;
            return false;
          }
        }, "the input is free");
        await eventually(
          async () => (await models.send(new definition.ListInputsCommand({}))).inputSummaries?.length === 0,
          "no input is left",
        );
      });
    });

    it("every operation of both clients was reached", async () => {
      const commands = [definition, data].flatMap((client) =>
        Object.keys(client).flatMap((name) => /^([A-Z]\w+)Command$/.exec(name)?.[1] ?? []),
      );
      expect(commands).toHaveLength(26 + 12);
      const { body } = await instance().bearer("GET", "/_medley/requests?service=events&limit=500");
      const reached = new Set(
        body.requests.map(({ operation }: { operation: string }) => operation?.split(".")[1]),
      );
      expect(commands.filter((name) => !reached.has(name))).toEqual([]);
    });
  },
  { services: ["events"] },
);
