/** ARNs of this service's resources. */
import { arnOf, parseOwnArn } from "#kernel/arn";

const SERVICE = "backup";

export const vaultArnOf = (account: string, region: string, name: string): string =>
  arnOf({ service: SERVICE, region, account, resource: `backup-vault:${name}` });
export const pointArnOf = (account: string, region: string, id: string): string =>
  arnOf({ service: SERVICE, region, account, resource: `recovery-point:${id}` });

export const planArnOf = (account: string, region: string, id: string): string =>
  arnOf({ service: SERVICE, region, account, resource: `backup-plan:${id}` });
export const holdArnOf = (account: string, region: string, id: string): string =>
  arnOf({ service: SERVICE, region, account, resource: `legal-hold:${id}` });
export const frameworkArnOf = (account: string, region: string, name: string): string =>
  arnOf({ service: SERVICE, region, account, resource: `framework:${name}` });
export const reportPlanArnOf = (account: string, region: string, name: string): string =>
  arnOf({ service: SERVICE, region, account, resource: `report-plan:${name}` });
export const testingPlanArnOf = (account: string, region: string, name: string): string =>
  arnOf({ service: SERVICE, region, account, resource: `restore-testing-plan:${name}` });

type Place = { readonly account: string; readonly region: string };

function findNamed(arn: string, kind: string): (Place & { readonly name: string }) | undefined {
  const parsed = parseOwnArn(arn);
  if (parsed?.service !== SERVICE || !parsed.resource.startsWith(`${kind}:`)) return undefined;
  const name = parsed.resource.slice(kind.length + 1);
  return { account: parsed.account, region: parsed.region, name };
}
export const findVaultIn = (arn: string) => findNamed(arn, "backup-vault");
export const findPointIn = (arn: string) => findNamed(arn, "recovery-point");

/** Resources that can have tags: from the word in the ARN to the type in the catalogue. */
export const TYPES = {
  "backup-vault": "Vendor::Backup::BackupVault",
  "recovery-point": "Vendor::Backup::RecoveryPoint",
  "backup-plan": "Vendor::Backup::BackupPlan",
  "legal-hold": "Vendor::Backup::LegalHold",
  framework: "Vendor::Backup::Framework",
  "report-plan": "Vendor::Backup::ReportPlan",
  "restore-testing-plan": "Vendor::Backup::RestoreTestingPlan",
} as const;
export type NamedKind = keyof typeof TYPES;

const isKind = (word: string): word is NamedKind => Object.hasOwn(TYPES, word);
/** Of this account and region. */
export function findTaggable(
  arn: string,
  account: string,
  region: string,
): { readonly kind: NamedKind; readonly name: string } | undefined {
  const parsed = parseOwnArn(arn);
  if (parsed?.service !== SERVICE || parsed.account !== account || parsed.region !== region) return undefined;
  const [kind = "", ...rest] = parsed.resource.split(":");
  return isKind(kind) && rest.length > 0 ? { kind, name: rest.join(":") } : undefined;
}
