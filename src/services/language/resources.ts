/** Applications among the resources of all services: deleted by this operation. */
import type { ResourceKind } from "#kernel/operation";
import { APPLICATION_TYPE } from "./domain/arns.ts";

export const resourceKinds: readonly ResourceKind[] = [
  {
    type: APPLICATION_TYPE,
    delete: ({ nativeId = "" }) => ({
      operation: "language.apps.deleteApplication",
      params: { appId: nativeId },
    }),
  },
];
