/** Demo data: two applications, so that the dashboard is not empty. */
import type { Context } from "#kernel/operation";
import { metadataOf } from "./operations/metadata.ts";
import { addClient, listClients } from "./operations/registry.ts";
import type { Tables } from "./tables.ts";
import type { ClientBody } from "./wire/index.ts";

const applications: readonly ClientBody[] = [
  {
    client_name: "Garden planner",
    client_uri: "https://garden.example.org",
    redirect_uris: ["https://garden.example.org/signed-in", "http://localhost:3000/signed-in"],
    post_logout_redirect_uris: ["https://garden.example.org/"],
    response_types: ["code"],
    contacts: ["team@garden.example.org"],
    default_scopes: ["openid", "profile", "email"],
  },
  {
    client_name: "Field notebook",
    client_uri: "http://localhost:5173",
    redirect_uris: ["http://localhost:5173/answer"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    id_token_signed_response_alg: "ES256",
    test_mode: true,
  },
];

export async function seed(context: Context<Tables>): Promise<void> {
  const known = new Set((await listClients(context)).map(({ client_name }) => client_name));
  for (const application of applications)
    if (!known.has(application.client_name)) await addClient(context, metadataOf(application));
}
