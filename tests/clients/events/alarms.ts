/** Alarms go off, and people answer them. */
import * as data from "@aws-sdk/client-iot-events-data";
import { describe, expect, it } from "vitest";
import type { EventsStory } from "./story.ts";

export const alarms = (story: EventsStory) =>
  describe("alarms", () => {
    const request = { requestId: "r1", alarmModelName: "burst", keyValue: "p1" };
    const actions: [string, string, () => Promise<{ errorEntries?: data.BatchAlarmActionErrorEntry[] }>][] = [
      [
        "acknowledged",
        "ACKNOWLEDGED",
        () =>
          story.messages.send(
            new data.BatchAcknowledgeAlarmCommand({
              acknowledgeActionRequests: [{ ...request, note: "on my way" }],
            }),
          ),
      ],
      [
        "reset",
        "NORMAL",
        () => story.messages.send(new data.BatchResetAlarmCommand({ resetActionRequests: [request] })),
      ],
      [
        "disabled",
        "DISABLED",
        () => story.messages.send(new data.BatchDisableAlarmCommand({ disableActionRequests: [request] })),
      ],
      [
        "enabled",
        "NORMAL",
        () => story.messages.send(new data.BatchEnableAlarmCommand({ enableActionRequests: [request] })),
      ],
      [
        "snoozed",
        "SNOOZE_DISABLED",
        () =>
          story.messages.send(
            new data.BatchSnoozeAlarmCommand({
              snoozeActionRequests: [{ ...request, snoozeDuration: 300 }],
            }),
          ),
      ],
    ];
    it("goes off by its rule, and tells people", async () => {
      await story.put({ pump: "p1", bar: 12 });
      const alarm = await story.alarmIn("p1", "ACTIVE");
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
      const { body } = await story.instance().bearer("GET", "/_medley/outbox?service=events&kind=mail");
      expect(body.messages[0]).toMatchObject({ target: "ann", subject: "A pump is about to burst" });
      expect(body.messages[0].body).toContain("Close the valve.");
    });
    it.each(actions)("is %s by a person", async (_, stateName, act) => {
      expect((await act()).errorEntries).toEqual([]);
      const { alarmState } = await story.alarmIn("p1", stateName);
      expect(alarmState?.customerAction?.actionName).toMatch(/^[A-Z]+$/);
    });
    it("wakes by itself into the state that its rule has then", async () => {
      await story.put({ pump: "p1", bar: 11 });
      await story.instance().clock.advance("5m");
      const { alarmState } = await story.alarmIn("p1", "ACTIVE");
      expect(alarmState?.systemEvent).toEqual({
        eventType: "STATE_CHANGE",
        stateChangeConfiguration: { triggerType: "SNOOZE_TIMEOUT" },
      });
      const { alarmSummaries } = await story.messages.send(
        new data.ListAlarmsCommand({ alarmModelName: "burst" }),
      );
      expect(alarmSummaries).toContainEqual(expect.objectContaining({ keyValue: "p1", stateName: "ACTIVE" }));
    });
    it("of nobody is an entry's error", async () => {
      const { errorEntries } = await story.messages.send(
        new data.BatchResetAlarmCommand({ resetActionRequests: [{ ...request, keyValue: "nobody" }] }),
      );
      expect(errorEntries).toEqual([
        expect.objectContaining({ requestId: "r1", errorCode: "ResourceNotFoundException" }),
      ]);
    });
  });
