/** How applications are named for other services. */
import { arnOf, parseArn } from "#kernel/arn";

export const APPLICATION_TYPE = "Vendor::Language::Application";
const KIND = "application/";

export const applicationArnOf = (account: string, id: string): string =>
  arnOf({ service: "language", region: "", account, resource: `${KIND}${id}` });
export function findApplicationIn(arn: string): string | undefined {
  const resource = parseArn(arn)?.resource;
  return resource?.startsWith(KIND) ? resource.slice(KIND.length) : undefined;
}
