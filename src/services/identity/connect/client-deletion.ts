/** Deletes a client: its tokens become invalid, and the consents for it are deleted. */
import type { Context } from "#kernel/operation";
import { removeClient } from "../clients/index.ts";
import { forgetConsentsOfClient } from "../people/index.ts";
import { forgetGrantsOfClient } from "./grants.ts";
import { forgetSessionsOfClient } from "./sign-outs/sessions.ts";
import type { State } from "./state.ts";
import type { Tables } from "./tables.ts";

/** Needs a transaction. */
export async function deleteClient(context: Context<Tables, State>, clientId: string): Promise<void> {
  await removeClient(context, clientId);
  await forgetConsentsOfClient(context.db, clientId);
  await forgetGrantsOfClient(context, clientId);
  await forgetSessionsOfClient(context, clientId);
}
