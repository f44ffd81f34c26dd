/** Functions among the resources of all services: their labels are tags, and these operations change and delete them. */
import type { ResourceKind } from "#kernel/operation";
import { FUNCTION_TYPE } from "./domain/names.ts";

export const resourceKinds: readonly ResourceKind[] = [
  {
    type: FUNCTION_TYPE,
    tag: ({ nativeId: name = "" }, { all }) => [
      {
        operation: "functions.patch",
        params: { name },
        query: { updateMask: "labels" },
        body: { labels: all },
      },
    ],
    delete: ({ nativeId: name = "" }) => ({ operation: "functions.delete", params: { name } }),
  },
];
