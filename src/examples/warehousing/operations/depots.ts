/** The resource type of depots. */
import { type Action, changeResource, resourceType } from "#kernel/resource-provider";
import { checkSize, type DepotProperties, stock } from "../domain.ts";
import { errors } from "../errors.ts";
import { delivery, depotAnswer, depotBody, depotPatch, stockAnswer } from "../wire.ts";

const stockAction: Action<DepotProperties> = {
  name: "stock",
  summary: "Takes boxes in",
  body: delivery,
  answers: { 200: stockAnswer },
  errors: [errors.depotFull],
  async handle({ resource, body }, context) {
    const boxes = stock(resource.properties, body.boxes);
    await changeResource(context, resource, { properties: { ...resource.properties, boxes } });
    return { boxes };
  },
};

export const depots = resourceType<DepotProperties>({
  name: "depots",
  title: "depot",
  parameter: "depotName",
  idWords: "depots",
  nameRule: {
    pattern: /^[a-zA-Z0-9-]{3,40}$/,
    says: "it has 3 to 40 letters, digits and hyphens",
    example: "north-depot",
  },
  catalogType: "Depot",
  wire: { put: depotBody, patch: depotPatch, answer: depotAnswer },
  lists: { bySubscription: true },
  errors: [errors.depotTooSmall],
  prepare(wanted, { existing }) {
    const boxes = existing?.properties.boxes ?? 0;
    checkSize(wanted.properties, boxes);
    return { ...wanted, properties: { ...wanted.properties, boxes } };
  },
  work: {
    create: { states: ["Planning", "Building"] },
    update: { states: ["Extending"] },
    delete: { states: ["Clearing"] },
  },
  actions: [stockAction],
});
