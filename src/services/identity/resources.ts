/** Clients in the resource catalogue, and the operation that deletes them. */
import type { ResourceKind } from "#kernel/operation";
import { CLIENT_TYPE } from "./clients/index.ts";

export const resourceKinds: readonly ResourceKind[] = [
  {
    type: CLIENT_TYPE,
    delete: ({ nativeId = "" }) => ({
      operation: "identity.clients.delete",
      params: { client_id: nativeId },
    }),
  },
];
