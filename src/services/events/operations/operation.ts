/** What the operations have in common. */

import { operationsFor } from "#kernel/operation";
import type { PageRequest } from "#kernel/paging";
import { type ModelKind, modelArnOf } from "../domain/arns.ts";
import { errors } from "../errors.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables.ts";

export const operation = operationsFor<Tables, State>();

export const pageRequestOf = (
  { maxResults, nextToken }: { maxResults: number; nextToken?: string | undefined },
  filter: unknown,
): PageRequest => ({ size: maxResults, token: nextToken, filter, invalid: errors.invalidRequest });

/** For policies. */
export const namedModel =
  (kind: ModelKind) =>
  (name: string, account: string, region: string): string =>
    modelArnOf({ account, region, kind, name });
