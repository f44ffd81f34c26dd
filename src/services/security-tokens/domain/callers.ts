/** Who a caller is, in the names that clients of the token service read. */
import { createHash } from "node:crypto";
import { arnOf, makersName, parseArn } from "#kernel/arn";

export type Caller = { readonly account: string; readonly arn: string; readonly userId: string };

const ID_LENGTH = 17;
const FOREIGN = /[^\w+=,.@-]/g;
const ROLE = /^role\/(?:[\x21-\x7e]+\/)?([\w+=,.@-]{1,64})$/;
const ASSUMED = /^assumed-role\/([^/]+)\/([^/]+)$/;

/** The same for the same name, as long as it is there. */
const idOf = (prefix: string, name: string): string =>
  prefix + createHash("sha256").update(name).digest("hex").toUpperCase().slice(0, ID_LENGTH);

export const roleIdOf = (account: string, role: string): string => idOf("AROA", `${account}/${role}`);
export const roleArnOf = (account: string, role: string): string =>
  arnOf({ service: "iam", region: "", account, resource: `role/${role}` });
/** The name of a session, by which its principal is known. */
export const sessionArnOf = (account: string, role: string, session: string): string =>
  makersName(arnOf({ service: "sts", region: "", account, resource: `assumed-role/${role}/${session}` }));

/** The account and name in a role's ARN, in either spelling. */
export function findRoleIn(arn: string): { account: string; role: string } | undefined {
  const parsed = parseArn(arn);
  const role = parsed && ROLE.exec(parsed.resource)?.[1];
  const isRole = parsed?.service === "iam" && parsed.region === "" && /^\d{12}$/.test(parsed.account);
  return isRole && role !== undefined ? { account: parsed.account, role } : undefined;
}

/** `name`: a session's ARN, or what an access key is called. */
export function callerOf(account: string, name: string): Caller {
  const assumed = ASSUMED.exec(parseArn(name)?.resource ?? "");
  if (assumed) {
    const [, role = "", session = ""] = assumed;
    return { account, arn: name, userId: `${roleIdOf(account, role)}:${session}` };
  }
  const resource = `user/${name.replace(FOREIGN, "-")}`;
  const arn = makersName(arnOf({ service: "iam", region: "", account, resource }));
  return { account, arn, userId: idOf("AIDA", `${account}/${name}`) };
}
export const isRoleSession = (name: string): boolean => name.startsWith("arn:");
