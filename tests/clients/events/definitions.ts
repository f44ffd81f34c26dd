/** Inputs, detector models and alarm models are made. */
import * as definition from "@aws-sdk/client-iot-events";
import { describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { account, alarmRule, arn, type EventsStory, pumpDefinition, roleArn } from "./story.ts";

export const definitions = (story: EventsStory) =>
  describe("definitions", () => {
    it("inputs are made, read, changed and listed", async () => {
      const { inputConfiguration } = await story.models.send(
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
      await story.inputIsActive("PumpReading");
      await story.models.send(
        new definition.UpdateInputCommand({
          inputName: "PumpReading",
          inputDescription: "What pumps say",
          inputDefinition: {
            attributes: [{ jsonPath: "pump" }, { jsonPath: "bar" }, { jsonPath: "limit" }],
          },
        }),
      );
      const { input } = await story.models.send(
        new definition.DescribeInputCommand({ inputName: "PumpReading" }),
      );
      expect(input?.inputConfiguration?.inputDescription).toBe("What pumps say");
      expect(input?.inputDefinition?.attributes).toHaveLength(3);
      await story.models.send(
        new definition.CreateInputCommand({
          inputName: "Unused",
          inputDefinition: { attributes: [{ jsonPath: "x" }] },
        }),
      );
      const first = await story.models.send(new definition.ListInputsCommand({ maxResults: 1 }));
      const second = await story.models.send(
        new definition.ListInputsCommand({ maxResults: 1, nextToken: first.nextToken }),
      );
      expect(
        [first, second].flatMap(({ inputSummaries = [] }) =>
          inputSummaries.map(({ inputName }) => inputName),
        ),
      ).toEqual(["PumpReading", "Unused"]);
      await story.inputIsActive("Unused");
      await story.models.send(new definition.DeleteInputCommand({ inputName: "Unused" }));
      await story.inputIsActive("PumpReading");
    });

    it("a detector model is analysed, made and becomes active", async () => {
      const { analysisId } = await story.models.send(
        new definition.StartDetectorModelAnalysisCommand({ detectorModelDefinition: pumpDefinition }),
      );
      await eventually(
        async () =>
          (await story.models.send(new definition.DescribeDetectorModelAnalysisCommand({ analysisId })))
            .status === "COMPLETE",
        "the analysis is complete",
      );
      const found: definition.AnalysisResult[] = [];
      let nextToken: string | undefined;
      do {
        const page = await story.models.send(
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

      const { detectorModelConfiguration } = await story.models.send(
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
        const { detectorModel } = await story.models.send(
          new definition.DescribeDetectorModelCommand({ detectorModelName: "pumps" }),
        );
        return detectorModel?.detectorModelConfiguration?.status === "ACTIVE" && detectorModel;
      }, "the model is active");
      expect(described.detectorModelDefinition).toEqual(pumpDefinition);
    });

    it("an alarm model is made", async () => {
      const createdModel = await story.models.send(
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
        const answer = await story.models.send(
          new definition.DescribeAlarmModelCommand({ alarmModelName: "burst" }),
        );
        return answer.status === "ACTIVE" && answer;
      }, "the alarm model is active");
      expect(described).toMatchObject({ severity: 5, key: "pump", alarmRule, roleArn });
    });

    it("says who listens to an input", async () => {
      const { routedResources = [] } = await story.models.send(
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
