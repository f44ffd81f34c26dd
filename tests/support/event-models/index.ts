/** Five detector models as people write them, each with a story of messages and what must come of it, second by second. */
import { duplicateSuppression } from "./duplicate-suppression.ts";
import { escalation } from "./escalation.ts";
import { fleetHeartbeat } from "./fleet-heartbeat.ts";
import { motorPressure } from "./motor-pressure.ts";
import type { ModelStory } from "./story.ts";
import { thermostat } from "./thermostat.ts";

export type { ModelStory } from "./story.ts";
export const MODEL_STORIES: readonly ModelStory[] = [
  motorPressure,
  thermostat,
  fleetHeartbeat,
  duplicateSuppression,
  escalation,
];
