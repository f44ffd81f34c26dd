/** Validation of SQL virtual machine groups: names, images and the domain of the cluster. */
import { groupErrors as errors } from "../errors.ts";
import { parseOffer } from "./images.ts";

/** A cluster name is a computer name in the domain, which limits its length. */
export const CLUSTER_NAME_LENGTH_MAX = 15;
const CLUSTER_NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const GROUP_SKUS = ["Developer", "Enterprise"];
const SQL_YEAR_MIN = 2016;
/** Older Windows versions do not support a cloud witness. */
const CLOUD_WITNESS_YEAR_MIN = 2016;

const DOMAIN_NAME =
  /^(?=.{1,255}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;
const ACCOUNT_NAME = /^[^\s@"/\\[\]:;|=,+*?<>]{1,64}(?:@([^\s@]{1,255}))?$/;
const STORAGE_URL = /^https:\/\/[a-z0-9]{3,24}\.blob\.[a-z0-9.-]{1,200}\/?$/i;
const STORAGE_KEY = /^[A-Za-z0-9+/]{20,512}={0,2}$/;

export type DomainProfile = {
  readonly domainFqdn?: string;
  readonly ouPath?: string;
  readonly clusterBootstrapAccount?: string;
  readonly clusterOperatorAccount?: string;
  readonly sqlServiceAccount?: string;
  readonly fileShareWitnessPath?: string;
  readonly storageAccountUrl?: string;
  readonly storageAccountPrimaryKey?: string;
};
export type Group = {
  readonly sqlImageOffer?: string;
  readonly sqlImageSku?: string;
  readonly wsfcDomainProfile?: DomainProfile;
};

export function groupNameProblem(name: string) {
  if (name.length > CLUSTER_NAME_LENGTH_MAX)
    return errors.nameTooLong(
      `The name of a SQL virtual machine group has at most ${CLUSTER_NAME_LENGTH_MAX} characters.`,
      { target: "sqlVirtualMachineGroupName" },
    );
  if (!isClusterName(name))
    return errors.invalidName(
      "The name of a SQL virtual machine group has letters, digits and inner hyphens, and is not a mere number.",
      { target: "sqlVirtualMachineGroupName" },
    );
  return undefined;
}
export const isClusterName = (name: string): boolean => CLUSTER_NAME.test(name) && !/^\d+$/.test(name);

export function checkGroup(group: Group, hasStorageKey: boolean): void {
  const { sqlImageOffer, sqlImageSku, wsfcDomainProfile: profile } = group;
  const offer = sqlImageOffer === undefined ? undefined : parseOffer(sqlImageOffer);
  if (sqlImageOffer !== undefined && (!offer || offer.sqlYear < SQL_YEAR_MIN))
    throw errors.invalidImageOffer(
      `'${sqlImageOffer}' is not an image that can form a cluster; an example is SQL2019-WS2019.`,
      { target: "properties.sqlImageOffer" },
    );
  if (sqlImageSku !== undefined && !GROUP_SKUS.includes(sqlImageSku))
    throw errors.invalidSku(`The SKU of a group is one of ${GROUP_SKUS.join(", ")}.`, {
      target: "properties.sqlImageSku",
    });
  if (!profile) return;
  checkDomain(profile);
  checkWitness(profile, hasStorageKey);
  if (profile.storageAccountUrl !== undefined && offer && offer.systemYear < CLOUD_WITNESS_YEAR_MIN)
    throw errors.cloudWitnessUnsupported(`${offer.system} knows no witness in a storage account.`, {
      target: "properties.wsfcDomainProfile.storageAccountUrl",
    });
}

const inProfile = (member: string) => ({ target: `properties.wsfcDomainProfile.${member}` });

function checkDomain(profile: DomainProfile): void {
  const { domainFqdn, ouPath } = profile;
  if (domainFqdn !== undefined && !DOMAIN_NAME.test(domainFqdn))
    throw errors.ouPathAndDomainMismatch(
      `'${domainFqdn}' is not the full name of a domain.`,
      inProfile("domainFqdn"),
    );
  if (ouPath !== undefined && ouPath !== "" && domainOfOuPath(ouPath) !== domainFqdn?.toLowerCase())
    throw errors.ouPathAndDomainMismatch(
      `The organizational unit '${ouPath}' does not lie in the domain '${domainFqdn ?? ""}'.`,
      inProfile("ouPath"),
    );
  for (const member of ["clusterBootstrapAccount", "clusterOperatorAccount", "sqlServiceAccount"] as const)
    checkAccount(profile[member], member, domainFqdn);
}
/** `OU=Clusters,DC=example,DC=org` is in the domain `example.org`. */
export function domainOfOuPath(ouPath: string): string | undefined {
  const parts = ouPath.split(",").map((part) => part.split("=").map((half) => half.trim()));
  const isPart = ([kind = "", name = "", ...rest]: string[]) =>
    /^(?:OU|CN|DC)$/i.test(kind) && name !== "" && rest.length === 0;
  if (!parts.every(isPart)) return undefined;
  return parts
    .filter(([kind]) => kind?.toUpperCase() === "DC")
    .map(([, name]) => name?.toLowerCase())
    .join(".");
}
function checkAccount(account: string | undefined, member: string, domainFqdn: string | undefined): void {
  if (account === undefined) return;
  const [matched, domain] = ACCOUNT_NAME.exec(account) ?? [];
  const domainFits = domain === undefined || domain.toLowerCase() === domainFqdn?.toLowerCase();
  if (matched !== undefined && domainFits) return;
  throw errors.invalidAccountName(
    `'${account}' is not an account of the domain: write it as name or name@${domainFqdn ?? "domain"}.`,
    inProfile(member),
  );
}
function checkWitness(profile: DomainProfile, hasStorageKey: boolean): void {
  const { fileShareWitnessPath, storageAccountUrl, storageAccountPrimaryKey } = profile;
  if (fileShareWitnessPath !== undefined && storageAccountUrl !== undefined)
    throw errors.fileShareWitnessDisallowed(
      "A cluster has one witness: a file share or a storage account.",
      inProfile("fileShareWitnessPath"),
    );
  if (storageAccountUrl !== undefined && !STORAGE_URL.test(storageAccountUrl))
    throw errors.invalidStorageAccountUrl(
      `'${storageAccountUrl}' is not the address of a storage account's blobs.`,
      inProfile("storageAccountUrl"),
    );
  if (storageAccountUrl !== undefined && storageAccountPrimaryKey === undefined && !hasStorageKey)
    throw errors.invalidStorageAccountCredentials(
      "A storage account needs its primary key.",
      inProfile("storageAccountPrimaryKey"),
    );
  if (storageAccountPrimaryKey !== undefined && !STORAGE_KEY.test(storageAccountPrimaryKey))
    throw errors.invalidStorageAccountCredentials(
      "The primary key is not the key of a storage account, which is 20 to 512 characters of Base64.",
      inProfile("storageAccountPrimaryKey"),
    );
}

const CREATE_ONLY = [
  "domainFqdn",
  "ouPath",
  "clusterBootstrapAccount",
  "fileShareWitnessPath",
  "storageAccountUrl",
] as const;
const CHANGEABLE = ["clusterOperatorAccount", "sqlServiceAccount"] as const;
const same = (before: string | undefined, wanted: string | undefined): boolean =>
  wanted === undefined || before?.toLowerCase() === wanted.toLowerCase();

export const unchangeable = () =>
  errors.updateNotAllowed(
    "The image, the domain and the witness of a SQL virtual machine group cannot be changed.",
  );
/**
 * Omitted members keep their values. Image and domain never change. Accounts change only while the group has
 * no machines.
 */
export function checkGroupChange(before: Group, wanted: Group, hasMachines: boolean): void {
  const was = before.wsfcDomainProfile ?? {};
  const will = wanted.wsfcDomainProfile ?? {};
  const fixed =
    same(before.sqlImageOffer, wanted.sqlImageOffer) &&
    same(before.sqlImageSku, wanted.sqlImageSku) &&
    CREATE_ONLY.every((member) => same(was[member], will[member]));
  if (!fixed) throw unchangeable();
  if (hasMachines && !CHANGEABLE.every((member) => same(was[member], will[member])))
    throw errors.updateFailsVmAttached("The accounts of a group cannot be changed while machines are in it.");
}
