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
    summary: "Deletes a client with its tokens and consents",
    description:
      "Codes, access tokens and the registration token stop working: immediately on this node, within a second on others. Browser sessions of people continue, but this client is no longer notified when they end.",
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
