/** Resource names of assignments, for other services. */
import { arnOf, parseArn } from "#kernel/arn";

export const ASSIGNMENT_TYPE = "Vendor::Contributions::Assignment";
const KIND = "assignment/";

export const assignmentArnOf = (account: string, id: string): string =>
  arnOf({ service: "contributions", region: "", account, resource: `${KIND}${id}` });
export function findAssignmentIn(arn: string): string | undefined {
  const resource = parseArn(arn)?.resource;
  return resource?.startsWith(KIND) ? resource.slice(KIND.length) : undefined;
}
