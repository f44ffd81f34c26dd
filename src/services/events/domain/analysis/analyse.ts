/** All findings on one detector model. */
import type { DetectorModelDefinition, KnownInputs } from "../definition.ts";
import type { Finding } from "./findings.ts";
import { deadEnds, timers, transitions, unsetVariables } from "./reach.ts";
import { references } from "./references.ts";
import { actions, inputs, sizes, states } from "./structure.ts";
import { types } from "./types.ts";
import { walk } from "./walk.ts";

export function analyseDetectorModel(
  definition: DetectorModelDefinition,
  known: KnownInputs,
): readonly Finding[] {
  const { events, findings } = walk(definition);
  return [
    ...types(events),
    ...sizes(definition),
    ...states(definition),
    ...transitions(definition, events),
    ...actions(events),
    ...findings,
    ...inputs(events),
    ...references(events, known),
    ...unsetVariables(definition, events),
    ...deadEnds(definition, events),
    ...timers(events),
  ];
}
