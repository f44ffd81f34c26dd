/** Clients in the catalogue, where other services find them. */
import { arnOf, parseArn } from "#kernel/arn";
import { EVERY_REGION } from "#kernel/catalog";
import type { Context } from "#kernel/operation";
import type { Tables } from "./tables.ts";

export const CLIENT_TYPE = "Vendor::Identity::Client";
const KIND = "client/";
export const clientArnOf = (account: string, clientId: string): string =>
  arnOf({ service: "identity", region: "", account, resource: `${KIND}${clientId}` });
export function findClientIn(arn: string): string | undefined {
  const resource = parseArn(arn)?.resource;
  return resource?.startsWith(KIND) ? resource.slice(KIND.length) : undefined;
}

/** Call it when a client is registered or renamed. Without `given`, the tags in the catalogue stay. */
export async function showInCatalog(
  { account, catalog }: Context<Tables>,
  clientId: string,
  name: string,
  given?: Readonly<Record<string, string>>,
): Promise<void> {
  const arn = clientArnOf(account, clientId);
  const tags = given ?? (await catalog.find(arn))?.tags ?? {};
  await catalog.put({ arn, type: CLIENT_TYPE, name, region: EVERY_REGION, nativeId: clientId, tags });
}
