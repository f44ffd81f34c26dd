/** Private endpoint connections: states and valid transitions. */
import { storeErrors } from "../errors.ts";

export const CONNECTION_STATUSES = ["Pending", "Approved", "Rejected", "Disconnected"] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

export type ConnectionProperties = {
  readonly privateEndpoint?: { readonly id?: string | null } | null;
  readonly privateLinkServiceConnectionState: {
    readonly status?: ConnectionStatus | null;
    readonly description?: string | null;
  };
};

/** A disconnected connection is final. The endpoint must be created again. */
const NEXT: Readonly<Record<ConnectionStatus, readonly ConnectionStatus[]>> = {
  Pending: ["Approved", "Rejected", "Disconnected"],
  Approved: ["Rejected", "Disconnected"],
  Rejected: ["Approved", "Disconnected"],
  Disconnected: [],
};

export function requireTransition(from: ConnectionStatus, to: ConnectionStatus): void {
  if (from === to || NEXT[from].includes(to)) return;
  throw storeErrors.connectionState(`A connection that is ${from} cannot become ${to}.`, {
    target: "properties.privateLinkServiceConnectionState.status",
  });
}

export const actionsRequiredOf = (status: ConnectionStatus): "None" | "Recreate" =>
  status === "Disconnected" ? "Recreate" : "None";
