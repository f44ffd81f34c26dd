/** Users in the catalogue, where other services find them. */
import { arnOf, parseArn } from "#kernel/arn";
import { EVERY_REGION } from "#kernel/catalog";
import type { BankContext, UserRow } from "../book/index.ts";

export const USER_TYPE = "Vendor::Bank::User";
const KIND = "user/";
export const userArnOf = (account: string, userId: number): string =>
  arnOf({ service: "bank", region: "", account, resource: `${KIND}${userId}` });
export function findUserIn(arn: string): number | undefined {
  const resource = parseArn(arn)?.resource;
  return resource?.startsWith(KIND) ? Number(resource.slice(KIND.length)) : undefined;
}

/** Call it when a user is made or renamed. Without `given`, the tags in the catalogue stay. */
export async function showInCatalog(
  { account, catalog }: BankContext,
  { id, display_name: name }: Pick<UserRow, "id" | "display_name">,
  given?: Readonly<Record<string, string>>,
): Promise<void> {
  const arn = userArnOf(account, id);
  const tags = given ?? (await catalog.find(arn))?.tags ?? {};
  await catalog.put({ arn, type: USER_TYPE, name, region: EVERY_REGION, nativeId: String(id), tags });
}
