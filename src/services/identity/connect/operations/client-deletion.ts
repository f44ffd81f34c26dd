/** Deleting a client, which takes along everything that was issued to it. */
import { noBody, operationsFor } from "#kernel/operation";
import { ClientId, registrationErrors } from "../../clients/index.ts";
import { deleteClient } from "../client-deletion.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables.ts";

const operation = operationsFor<Tables, State>();

export const clientDeletionOperations = [
  operation({
    id: "identity.clients.delete",
    summary: "Deletes a client; what was issued to it stops working",
    errorShape: "problem",
    noStore: true,
    method: "DELETE",
    path: "/client/{client_id}",
    permission: "identity:DeleteClient",
    params: ClientId,
    answers: { 204: noBody },
    errors: [registrationErrors.clientNotFound],
    handle: ({ params }, context) => deleteClient(context, params.client_id),
  }),
];
