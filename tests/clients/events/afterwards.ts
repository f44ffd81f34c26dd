/** Versions, tags, errors, other accounts, and the end. */
import * as definition from "@aws-sdk/client-iot-events";
import * as data from "@aws-sdk/client-iot-events-data";
import { describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { alarmRule, arn, BAR, type EventsStory, pumpDefinition, roleArn } from "./story.ts";

export const afterwards = (story: EventsStory) =>
  describe("afterwards", () => {
    it("versions follow each other", async () => {
      await story.models.send(
        new definition.UpdateDetectorModelCommand({
          detectorModelName: "pumps",
          detectorModelDefinition: pumpDefinition,
          roleArn,
          evaluationMethod: "BATCH",
        }),
      );
      const versions = await eventually(async () => {
        const { detectorModelVersionSummaries = [] } = await story.models.send(
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
      const { detectorModelSummaries } = await story.models.send(
        new definition.ListDetectorModelsCommand({}),
      );
      expect(detectorModelSummaries?.map(({ detectorModelName }) => detectorModelName)).toEqual(["pumps"]);
      await story.models.send(
        new definition.UpdateAlarmModelCommand({
          alarmModelName: "burst",
          roleArn,
          alarmRule,
          severity: 7,
        }),
      );
      const { alarmModelVersionSummaries } = await story.models.send(
        new definition.ListAlarmModelVersionsCommand({ alarmModelName: "burst" }),
      );
      expect(alarmModelVersionSummaries?.map(({ alarmModelVersion }) => alarmModelVersion)).toEqual([
        "2",
        "1",
      ]);
      const { alarmModelSummaries } = await story.models.send(new definition.ListAlarmModelsCommand({}));
      expect(alarmModelSummaries?.map(({ alarmModelName }) => alarmModelName)).toEqual(["burst"]);
    });

    it("tags and logging options are kept", async () => {
      const resourceArn = arn("detectorModel/pumps");
      await story.models.send(
        new definition.TagResourceCommand({ resourceArn, tags: [{ key: "owner", value: "ann" }] }),
      );
      await story.models.send(new definition.UntagResourceCommand({ resourceArn, tagKeys: ["plant"] }));
      const { tags } = await story.models.send(new definition.ListTagsForResourceCommand({ resourceArn }));
      expect(tags).toEqual([{ key: "owner", value: "ann" }]);
      const loggingOptions: definition.LoggingOptions = {
        roleArn,
        level: "DEBUG",
        enabled: true,
        detectorDebugOptions: [{ detectorModelName: "pumps", keyValue: "p1" }],
      };
      await story.models.send(new definition.PutLoggingOptionsCommand({ loggingOptions }));
      expect(
        (await story.models.send(new definition.DescribeLoggingOptionsCommand({}))).loggingOptions,
      ).toEqual(loggingOptions);
    });

    it("errors are the clients' own classes", async () => {
      const create = (changes: Partial<definition.CreateDetectorModelCommandInput>) =>
        story.models.send(
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
        story.models.send(new definition.DescribeInputCommand({ inputName: "Nothing" })),
      ).rejects.toThrow(definition.ResourceNotFoundException);
      await expect(
        story.models.send(new definition.DeleteInputCommand({ inputName: "PumpReading" })),
      ).rejects.toThrow(definition.ResourceInUseException);
      await expect(
        story.messages.send(new data.ListDetectorsCommand({ detectorModelName: "nothing" })),
      ).rejects.toThrow(data.ResourceNotFoundException);
      await expect(
        story.messages.send(
          new data.ListDetectorsCommand({ detectorModelName: "pumps", nextToken: "made up" }),
        ),
      ).rejects.toThrow(data.InvalidRequestException);
    });

    it("other accounts and regions see nothing of it", async () => {
      for (const client of [story.definitionClient("second"), story.definitionClient("first", "eu-west-1")])
        expect((await client.send(new definition.ListInputsCommand({}))).inputSummaries).toEqual([]);
      for (const client of [story.dataClient("second"), story.dataClient("first", "eu-west-1")])
        await expect(
          client.send(new data.DescribeDetectorCommand({ detectorModelName: "pumps", keyValue: "p1" })),
        ).rejects.toThrow(data.ResourceNotFoundException);
    });

    it("everything goes away in order", async () => {
      await story.models.send(new definition.DeleteDetectorModelCommand({ detectorModelName: "pumps" }));
      await story.models.send(new definition.DeleteAlarmModelCommand({ alarmModelName: "burst" }));
      await eventually(async () => {
        try {
          await story.models.send(new definition.DeleteInputCommand({ inputName: "PumpReading" }));
          return true;
        } catch (error) {
          if (!(error instanceof definition.ResourceInUseException)) throw error;
          return false;
        }
      }, "the input is free");
      await eventually(
        async () =>
          (await story.models.send(new definition.ListInputsCommand({}))).inputSummaries?.length === 0,
        "no input is left",
      );
    });
  });
