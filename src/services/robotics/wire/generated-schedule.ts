/** Options of a generated schedule, and its quality figures. */
import { Type } from "@sinclair/typebox";
import { given } from "#kernel/shape";
import { SCHEDULE_LIMITS } from "../scheduling/index.ts";

export const ScheduleWishes = Type.Object({
  matchesPerTeam: given(
    Type.Integer({
      minimum: 1,
      maximum: SCHEDULE_LIMITS.matchesPerTeamMax,
      description: "How many matches each team plays; needed for all but playoffs.",
      examples: [12],
    }),
  ),
  robotsPerAlliance: given(
    Type.Integer({
      minimum: 2,
      maximum: 4,
      description: "Robots of one alliance in a match: three, unless said otherwise.",
      examples: [3],
    }),
  ),
  minimumGap: given(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description:
        "From one match of a team to its next: 1 may be the very next match. Half a round, unless said otherwise.",
      examples: [5],
    }),
  ),
  startTime: given(
    Type.String({
      pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(?::\\d{2})?$",
      description: "When the first match begins, in the event's local time.",
      examples: ["2024-03-02T09:00:00"],
    }),
  ),
  minutesPerMatch: given(
    Type.Integer({
      minimum: 1,
      maximum: 120,
      description: "From the beginning of one match to that of the next: eight, unless said otherwise.",
      examples: [8],
    }),
  ),
  seed: given(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: "Another number gives another schedule, the same one the same.",
      examples: [7],
    }),
  ),
  effort: given(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: SCHEDULE_LIMITS.effortMax,
      description: "How long to look for a better one: three, unless said otherwise.",
      examples: [3],
    }),
  ),
});

const integer = Type.Integer();
const Repetition = Type.Object({
  most: Type.Integer({ description: "How often the pair that meets most often meets." }),
  repeated: Type.Integer({ description: "How many pairs meet more than once." }),
  pairs: Type.Array(integer, { description: "How many pairs meet never, once, twice and so on." }),
});
export const GeneratedSchedule = Type.Object({
  matchesEntered: Type.Integer({ description: "How many matches were put on the schedule." }),
  figures: Type.Union([
    Type.Object({
      matches: integer,
      partners: Repetition,
      opponents: Repetition,
      gapLeast: integer,
      gapAverage: Type.Number(),
      colourDifferenceMost: integer,
      surrogates: integer,
    }),
    Type.Null(),
  ]),
});
