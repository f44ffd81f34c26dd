/** A prediction in the shape of version 3: intents and entities by their names. */
import type { FoundEntity, Prediction } from "../recognition/prediction.ts";
import { modelOf } from "./entity-types.ts";

export type Asking = { readonly verbose: boolean; readonly showAllIntents: boolean };

export function predictionView({ intents, entities }: Prediction, text: string, asking: Asking) {
  const shown = asking.showAllIntents ? intents : intents.slice(0, 1);
  return {
    query: text,
    prediction: {
      topIntent: intents[0]?.name ?? "None",
      intents: Object.fromEntries(shown.map(({ name, score }) => [name, { score }])),
      entities: entitiesView(entities, text, asking),
    },
  };
}

type EntitiesView = { [name: string]: unknown };

/** By role if there is one, otherwise by name. `verbose` adds the details of each. */
function entitiesView(found: readonly FoundEntity[], text: string, asking: Asking): EntitiesView {
  const values = new Map<string, unknown[]>();
  const instances = new Map<string, unknown[]>();
  for (const one of found) {
    const name = one.role ?? one.entity;
    values.set(name, [...(values.get(name) ?? []), shownValueOf(one, text, asking)]);
    instances.set(name, [...(instances.get(name) ?? []), instanceOf(one, text)]);
  }
  return {
    ...Object.fromEntries(values),
    ...(asking.verbose && instances.size > 0 && { $instance: Object.fromEntries(instances) }),
  };
}

function shownValueOf(one: FoundEntity, text: string, asking: Asking): unknown {
  if (one.source === "external" && one.resolution !== undefined) return one.resolution;
  if (one.children.length > 0) return entitiesView(one.children, text, asking);
  if (one.source === "list") return (one.resolution as { values: readonly string[] }).values;
  if (one.source === "prebuilt") return prebuiltValueOf(one, text);
  return text.slice(one.start, one.end);
}

type Resolution = {
  readonly value?: string | null;
  readonly unit?: string | null;
  readonly values?: readonly Readonly<Record<string, string>>[];
};

function prebuiltValueOf(one: FoundEntity, text: string): unknown {
  const resolution = one.resolution as Resolution;
  const number = Number((resolution.value ?? "").replace("%", ""));
  if (one.entity === "datetimeV2") return dateTimeOf(one.type, resolution);
  if (one.entity === "number" || one.entity === "percentage" || one.entity === "ordinal") return number;
  if (one.entity === "ordinalV2") return { offset: number, relativeTo: "start" };
  if (one.entity === "age") return { number, unit: resolution.unit ?? "" };
  if (one.entity === "money" || one.entity === "dimension" || one.entity === "temperature")
    return { number, units: resolution.unit ?? "" };
  return resolution.value ?? text.slice(one.start, one.end);
}

/** Groups readings of the same expression. */
function dateTimeOf(type: string, { values = [] }: Resolution) {
  const readings = new Map<string, unknown[]>();
  for (const { timex = "", type: _, ...reading } of values)
    readings.set(timex, [...(readings.get(timex) ?? []), reading]);
  return {
    type: type.replace("datetimeV2.", ""),
    values: [...readings].map(([timex, resolution]) => ({ timex, resolution })),
  };
}

function instanceOf(one: FoundEntity, text: string) {
  const { modelTypeId, modelType } = modelOf(one);
  return {
    ...(one.role !== undefined && { role: one.role }),
    type: one.source === "prebuilt" ? `builtin.${one.type}` : one.entity,
    text: text.slice(one.start, one.end),
    startIndex: one.start,
    length: one.end - one.start,
    ...(one.score !== undefined && { score: one.score }),
    modelTypeId,
    modelType,
    recognitionSources: [one.source === "external" ? "externalEntities" : "model"],
  };
}
