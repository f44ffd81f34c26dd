/** Messages move detectors. */
import * as data from "@aws-sdk/client-iot-events-data";
import { describe, expect, it } from "vitest";
import { alertTopic, type EventsStory } from "./story.ts";

export const messages = (story: EventsStory) =>
  describe("messages", () => {
    it("move a detector, and its timer brings it back", async () => {
      await story.put({ pump: "p1", bar: 9 }, { pump: "p2", bar: 3 });
      await story.detectorIn("p1", "Fine");
      await story.put({ pump: "p1", bar: 9.5 });
      const stressed = await story.detectorIn("p1", "Stressed");
      expect(stressed).toMatchObject({
        detectorModelName: "pumps",
        keyValue: "p1",
        detectorModelVersion: "1",
        creationTime: expect.any(Date),
        lastUpdateTime: expect.any(Date),
      });
      expect(stressed.state?.variables).toEqual([{ name: "high", value: "2" }]);
      expect(stressed.state?.timers).toEqual([
        { name: "cooling", timestamp: new Date(story.instance().clock.nowMs() + 120_000) },
      ]);
      const { body } = await story.instance().bearer("GET", "/_medley/outbox?service=events&kind=topic");
      expect(body.messages).toContainEqual(
        expect.objectContaining({ target: alertTopic, body: { pump: "p1" } }),
      );
      await story.instance().clock.advance("2m");
      await story.detectorIn("p1", "Fine");
    });

    it("are refused one by one, in the answer", async () => {
      const { BatchPutMessageErrorEntries } = await story.messages.send(
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
      await story.detectorIn("p2", "Fine");
      const listed = await story.messages.send(
        new data.ListDetectorsCommand({ detectorModelName: "pumps", stateName: "Fine", maxResults: 1 }),
      );
      expect(listed.detectorSummaries).toHaveLength(1);
      const rest = await story.messages.send(
        new data.ListDetectorsCommand({
          detectorModelName: "pumps",
          stateName: "Fine",
          nextToken: listed.nextToken,
        }),
      );
      expect(rest.detectorSummaries?.map(({ keyValue }) => keyValue)).toEqual(["p2"]);
      const updated = await story.messages.send(
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
      expect((await story.detectorIn("p2", "Stressed")).state?.variables).toEqual([
        { name: "high", value: "7" },
      ]);
      await story.instance().clock.advance("1m");
      await story.detectorIn("p2", "Fine");
      const gone = await story.messages.send(
        new data.BatchDeleteDetectorCommand({
          detectors: [{ messageId: "d1", detectorModelName: "pumps", keyValue: "p2" }],
        }),
      );
      expect(gone.batchDeleteDetectorErrorEntries).toEqual([]);
      await expect(
        story.messages.send(new data.DescribeDetectorCommand({ detectorModelName: "pumps", keyValue: "p2" })),
      ).rejects.toThrow(data.ResourceNotFoundException);
    });
  });
