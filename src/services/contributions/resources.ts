/** Assignments among the resources of all services: deleted by this operation. */
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
