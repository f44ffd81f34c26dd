/** What one running instance keeps in memory. */
import type { Context } from "#kernel/operation";
import { Places } from "./domain/order.ts";
import type { Tables } from "./tables/index.ts";

export type State = { readonly places: Places };
export type ContributionsContext = Context<Tables, State>;

export const start = (): State => ({ places: new Places() });
