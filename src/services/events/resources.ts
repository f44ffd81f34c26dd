/** Inputs and models in the resource catalogue, and the operations that tag and delete them. */
import type { CatalogEntry } from "#kernel/catalog";
import { byTwoCalls, type ResourceKind, type TagChange } from "#kernel/operation";
import { TYPE } from "./domain/arns.ts";

const tag = ({ arn: resourceArn }: CatalogEntry, change: TagChange) =>
  byTwoCalls(
    change,
    (set) => ({
      operation: "events.TagResource",
      query: { resourceArn },
      body: { tags: Object.entries(set).map(([key, value]) => ({ key, value })) },
    }),
    (tagKeys) => ({ operation: "events.UntagResource", query: { resourceArn, tagKeys } }),
  );

export const resourceKinds: readonly ResourceKind[] = [
  {
    type: TYPE.input,
    tag,
    delete: ({ name }) => ({ operation: "events.DeleteInput", params: { inputName: name } }),
  },
  {
    type: TYPE.detector,
    tag,
    delete: ({ name }) => ({ operation: "events.DeleteDetectorModel", params: { detectorModelName: name } }),
  },
  {
    type: TYPE.alarm,
    tag,
    delete: ({ name }) => ({ operation: "events.DeleteAlarmModel", params: { alarmModelName: name } }),
  },
];
