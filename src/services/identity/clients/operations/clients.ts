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
    summary: "The caller's clients",
    method: "GET",
    path: "/client",
    permission: "identity:ListClients",
    answers: { 200: Type.Array(ClientAnswer) },
    handle: (_input, context) => registry.listClients(context),
  }),
  operation({
    id: "identity.clients.create",
    summary: "Registers a client; its secret and registration token are shown this once",
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
    summary: "One client",
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
    summary: "Replaces what was said about a client",
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
    summary: "Gives a client a new secret, shown this once; the old one stops working",
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
