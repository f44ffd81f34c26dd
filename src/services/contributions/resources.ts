/** Assignments in the resource catalogue, and the operation that deletes them. */
import type { ResourceKind } from "#kernel/operation";
import { ASSIGNMENT_TYPE } from "./domain/arns.ts";

export const resourceKinds: readonly ResourceKind[] = [
  {
    type: ASSIGNMENT_TYPE,
    delete: ({ nativeId = "" }) => ({
      operation: "contributions.assignments.delete",
      params: { id: nativeId },
    }),
  },
];
