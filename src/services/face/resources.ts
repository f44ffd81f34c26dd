/** Lists and groups in the catalogue of resources, with the operations that delete them. */
import type { ResourceKind } from "#kernel/operation";
import { RESOURCE_TYPES } from "./domain/arns.ts";
import { KINDS, type Kind } from "./domain/containers.ts";

const DELETED_BY: Readonly<Record<Kind, readonly [operation: string, parameter: string]>> = {
  facelist: ["face.face-lists.delete", "faceListId"],
  largefacelist: ["face.large-face-lists.delete", "largeFaceListId"],
  persongroup: ["face.person-groups.delete", "personGroupId"],
  largepersongroup: ["face.large-person-groups.delete", "largePersonGroupId"],
};

export const resourceKinds: readonly ResourceKind[] = KINDS.map((kind) => {
  const [operation, parameter] = DELETED_BY[kind];
  return { type: RESOURCE_TYPES[kind], delete: ({ name }) => ({ operation, params: { [parameter]: name } }) };
});
