/** Shared parts of the operations. */
import { operationsFor } from "#kernel/operation";
import type { PageRequest } from "#kernel/paging";
import { findNameIn, type Group, referredArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { GroupContext, State } from "../state.ts";
import { getGroup } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { PAGE_SIZE_MAX, referenceOf } from "../wire.ts";

export const operation = operationsFor<Tables, State>();

/** Tokens are hexadecimal: clients check their characters, and a `+` in a query decodes as a space. */
export const pageRequestOf = (
  size: number | undefined,
  token: string | undefined,
  filter: unknown,
): PageRequest => ({
  size: size ?? PAGE_SIZE_MAX,
  token,
  filter,
  encoding: "hex",
  invalid: errors.badRequest,
});

type Named = { GroupName?: string | undefined; Group?: string | undefined };

/** The resource for policies: the group in the body. */
export const namedGroup = ({ body }: { body: Named }, account: string, region: string): string =>
  referredArnOf(referenceOf(body), account, region);

export async function getNamedGroup(context: GroupContext, body: Named): Promise<Group> {
  const { region } = context.request;
  return getGroupOfArn(context, referredArnOf(referenceOf(body), context.account, region));
}
export async function getGroupOfArn(context: GroupContext, arn: string): Promise<Group> {
  const { region } = context.request;
  const name = findNameIn(arn, context.account, region);
  if (name === undefined) throw errors.notFound(`There is no group ${arn} in this account and region.`);
  return getGroup(context.db, context.account, region, name);
}
