/** A week with pumps and their alarms, told by the maker's two clients, unmodified: every operation is reached through them. */
import * as definition from "@aws-sdk/client-iot-events";
import * as data from "@aws-sdk/client-iot-events-data";
import { afterAll, beforeAll, expect, it } from "vitest";
import { onBothDatabases } from "../support/medley.ts";
import { afterwards } from "./events/afterwards.ts";
import { alarms } from "./events/alarms.ts";
import { definitions } from "./events/definitions.ts";
import { messages } from "./events/messages.ts";
import { EventsStory } from "./events/story.ts";

onBothDatabases(
  "the maker's clients",
  (instance) => {
    const story = new EventsStory(instance);
    beforeAll(() => instance().clock.freeze());
    afterAll(() => story.end());

    definitions(story);
    messages(story);
    alarms(story);
    afterwards(story);

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
