/**
 * Client registration by an owner, or by a registration token. Deleting is in `connect`, because it also
 * deletes tokens.
 */
import { Type } from "@sinclair/typebox";
import { answer, operationGroup, operationsFor } from "#kernel/operation";
import { errors } from "../errors.ts";
import type { Tables } from "../tables.ts";
import { ClientAnswer, ClientBody } from "../wire/index.ts";
import * as registry from "./registry.ts";

const operation = operationsFor<Tables>();
export const ClientId = Type.Object({
  client_id: Type.String({ maxLength: 128, description: "The client's id.", examples: ["app_1"] }),
});
const bodyErrors = [errors.invalidClientMetadata, errors.invalidRedirectUri];
const example = {
  client_name: "Garden planner",
  client_uri: "https://garden.example.org",
  redirect_uris: ["https://garden.example.org/signed-in"],
  response_types: ["code"],
};

export const operations = operationGroup({ noStore: true }, [
  operation({
    id: "identity.clients.list",
    summary: "Lists the clients of the account",
    description:
      "Returns all clients, without pages and without secrets. A registration token sees only its own client.",
    method: "GET",
    path: "/client",
    permission: "identity:ListClients",
    answers: { 200: Type.Array(ClientAnswer) },
    handle: (_input, context) => registry.listClients(context),
  }),
  operation({
    id: "identity.clients.create",
    summary: "Registers a client and returns its secret and registration token once",
    description:
      "An account may have 1000 clients. With `sector_identifier_uri`, the server fetches that document (5 seconds, 256 KB) and checks that it lists every redirect URI. A caller can grant only permissions that it has itself. Afterwards send people to `identity.authorize`.",
    errorShape: "problem",
    method: "POST",
    path: "/client",
    permission: "identity:CreateClient",
    transaction: "manual",
    body: ClientBody,
    bodyKinds: ["json", "multipart"],
    answers: { 201: ClientAnswer },
    errors: [...bodyErrors, errors.tooManyClients],
    examples: { body: example },
    async handle({ body }, context) {
      const created = await registry.createClient(context, body);
      return answer(201, created, { location: created.registration_client_uri });
    },
  }),
  operation({
    id: "identity.clients.get",
    summary: "Returns a client",
    description: "Secrets are never returned here. A registration token can read only its own client.",
    method: "GET",
    path: "/client/{client_id}",
    permission: "identity:GetClient",
    params: ClientId,
    answers: { 200: ClientAnswer },
    errors: [errors.clientNotFound],
    handle: ({ params }, context) => registry.getClient(context, params.client_id),
  }),
  operation({
    id: "identity.clients.update",
    summary: "Replaces the metadata of a client",
    description:
      "Members that are absent get their default. A client that becomes public loses its secret; one that becomes confidential gets a secret, which is returned once. Changing to HS256 needs the present `client_secret` in the body. `client_id` cannot change, and issued tokens stay valid.",
    errorShape: "problem",
    method: "PUT",
    path: "/client/{client_id}",
    permission: "identity:UpdateClient",
    transaction: "manual",
    params: ClientId,
    body: ClientBody,
    bodyKinds: ["json", "multipart"],
    answers: { 200: ClientAnswer },
    errors: [...bodyErrors, errors.clientNotFound],
    examples: { body: example },
    handle: ({ params, body }, context) => registry.updateClient(context, params.client_id, body),
  }),
  operation({
    id: "identity.clients.rotateSecret",
    summary: "Creates a new secret for a client and returns it once",
    description:
      "The old secret stops working immediately. Tokens that were issued stay valid. A public client has no secret and gets an error.",
    errorShape: "problem",
    method: "POST",
    path: "/client/{client_id}/secret",
    permission: "identity:RotateClientSecret",
    params: ClientId,
    answers: { 200: ClientAnswer },
    errors: [errors.clientNotFound, errors.invalidClientMetadata],
    handle: ({ params }, context) => registry.rotateSecret(context, params.client_id),
  }),
]);
