/** Depots as clients spell them. */
import { Type } from "@sinclair/typebox";
import { tagChanges, trackedAnswer, trackedBody } from "#kernel/resource-provider";

const shelves = Type.Integer({
  minimum: 1,
  maximum: 10_000,
  description: "How many shelves the depot has.",
  examples: [40],
});
const boxes = Type.Integer({ minimum: 0, description: "How many boxes stand on them.", examples: [12] });

const propertiesWords = { description: "The depot's size." };

export const depotBody = trackedBody({ properties: Type.Object({ shelves }, propertiesWords) });
export const depotPatch = Type.Object({
  tags: Type.Optional(tagChanges),
  properties: Type.Optional(Type.Partial(Type.Object({ shelves }), propertiesWords)),
});
export const depotAnswer = trackedAnswer({
  properties: Type.Object({ shelves, boxes, provisioningState: Type.String() }, propertiesWords),
});

export const delivery = Type.Object({
  boxes: Type.Integer({ minimum: 1, maximum: 1000, description: "How many are delivered.", examples: [12] }),
});
export const stockAnswer = Type.Object({ boxes });
