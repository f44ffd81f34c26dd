/** Validation of SQL virtual machines: images, licences, management, and requirements of a group. */
import { commonErrors, machineErrors as errors } from "../errors.ts";
import type { DomainProfile } from "./groups.ts";
import { parseOffer } from "./images.ts";

const MACHINE_SKUS = ["Developer", "Express", "Standard", "Enterprise", "Web"];
const LICENSES = ["PAYG", "AHUB", "DR"];
const MODES = ["Full", "LightWeight", "NoAgent"];
/** Only these editions support the AHUB and DR licences. */
const LICENSED_SKUS = ["Standard", "Enterprise"];

export type Machine = {
  readonly sqlImageOffer?: string;
  readonly sqlImageSku?: string;
  readonly sqlServerLicenseType?: string;
  readonly sqlManagement?: string;
  readonly storageConfigurationSettings?: { readonly storageWorkloadType?: string };
  readonly serverConfigurationsManagementSettings?: {
    readonly sqlWorkloadTypeUpdateSettings?: { readonly sqlWorkloadType?: string };
  };
};
export type DomainCredentials = {
  readonly clusterBootstrapAccountPassword?: string;
  readonly clusterOperatorAccountPassword?: string;
  readonly sqlServiceAccountPassword?: string;
};

const at = (member: string) => ({ target: `properties.${member}` });

export function checkMachine(machine: Machine): void {
  const { sqlImageOffer, sqlImageSku, sqlManagement } = machine;
  if (sqlManagement !== undefined && !MODES.includes(sqlManagement))
    throw errors.managementModeUnsupported(
      `The management mode is one of ${MODES.join(", ")}.`,
      at("sqlManagement"),
    );
  if (sqlManagement === "NoAgent" && sqlImageSku === undefined)
    throw errors.imageSkuMissing("Without an agent the SKU of the image must be given.", at("sqlImageSku"));
  if (sqlManagement === "NoAgent" && sqlImageOffer === undefined)
    throw errors.imageOfferMissing(
      "Without an agent the offer of the image must be given.",
      at("sqlImageOffer"),
    );
  if (sqlImageSku?.toLowerCase() === "evaluation")
    throw errors.evaluationNotSupported("The evaluation edition is not supported.", at("sqlImageSku"));
  if (sqlImageSku !== undefined && !MACHINE_SKUS.includes(sqlImageSku))
    throw commonErrors.invalidParameterValue(
      `The SKU is one of ${MACHINE_SKUS.join(", ")}.`,
      at("sqlImageSku"),
    );
  if (sqlImageOffer !== undefined && !parseOffer(sqlImageOffer))
    throw commonErrors.invalidParameterValue(
      `'${sqlImageOffer}' is not an image offer; an example is SQL2019-WS2019.`,
      at("sqlImageOffer"),
    );
  checkLicense(machine);
}
function checkLicense({ sqlServerLicenseType: license, sqlImageSku }: Machine): void {
  if (license === undefined) return;
  if (!LICENSES.includes(license))
    throw errors.licenseNotSupported(
      `The licence is one of ${LICENSES.join(", ")}.`,
      at("sqlServerLicenseType"),
    );
  if (license !== "PAYG" && sqlImageSku !== undefined && !LICENSED_SKUS.includes(sqlImageSku))
    throw errors.licenseNotSupported(
      `The licence ${license} is for ${LICENSED_SKUS.join(" and ")}; ${sqlImageSku} is paid as it goes.`,
      at("sqlServerLicenseType"),
    );
}

/** The offer cannot change. The management mode can only be upgraded. */
export function checkMachineChange(before: Machine, wanted: Machine): void {
  const offer = before.sqlImageOffer?.toLowerCase();
  if (offer !== undefined && wanted.sqlImageOffer?.toLowerCase() !== offer)
    throw errors.imageOfferChanged("The offer of the image cannot be changed.", at("sqlImageOffer"));
  const rank = (mode: string | undefined) => MODES.toReversed().indexOf(mode ?? "Full");
  if (rank(wanted.sqlManagement) < rank(before.sqlManagement))
    throw errors.managementModeChange(
      `The management mode cannot go from ${before.sqlManagement} back to ${wanted.sqlManagement}.`,
      at("sqlManagement"),
    );
  checkSameWorkload(before, wanted);
}
/** Workload types cannot change after they are set. */
function checkSameWorkload(before: Machine, wanted: Machine): void {
  const workloadsOf = (machine: Machine) =>
    [
      ["storageConfigurationSettings", machine.storageConfigurationSettings?.storageWorkloadType],
      [
        "serverConfigurationsManagementSettings",
        machine.serverConfigurationsManagementSettings?.sqlWorkloadTypeUpdateSettings?.sqlWorkloadType,
      ],
    ] as const;
  const former = new Map(workloadsOf(before));
  for (const [member, workload] of workloadsOf(wanted)) {
    const was = former.get(member);
    if (was === undefined || workload === undefined || was === workload) continue;
    throw commonErrors.invalidParameterValue(
      `The machine was made for the workload ${was}, which cannot be changed.`,
      at(member),
    );
  }
}

export type GroupToJoin = {
  readonly name: string;
  readonly sqlImageOffer?: string;
  readonly sqlImageSku?: string;
  readonly wsfcDomainProfile?: DomainProfile;
};
/** All machines of a cluster need the same edition, SQL Server and Windows Server, and full management. */
export function checkFit(machine: Machine, group: GroupToJoin): void {
  if (machine.sqlManagement !== undefined && machine.sqlManagement !== "Full")
    throw errors.managementModeUnsupported(
      "A machine in a group must be under full management.",
      at("sqlManagement"),
    );
  if (group.sqlImageSku !== undefined && machine.sqlImageSku !== group.sqlImageSku)
    throw errors.skuMismatchWithGroup(
      `The group '${group.name}' consists of ${group.sqlImageSku} machines, this one is ${machine.sqlImageSku}.`,
      at("sqlImageSku"),
    );
  const mine = parseOffer(machine.sqlImageOffer ?? "");
  const theirs = parseOffer(group.sqlImageOffer ?? "");
  if (theirs && mine?.sql !== theirs.sql)
    throw errors.versionMismatchWithGroup(
      `The group '${group.name}' runs SQL Server ${theirs.sql}, this machine ${mine?.sql ?? "an unknown one"}.`,
      at("sqlImageOffer"),
    );
  if (theirs && mine?.system !== theirs.system)
    throw errors.systemMismatchWithGroup(
      `The group '${group.name}' runs on ${theirs.system}, this machine on ${mine?.system ?? "an unknown system"}.`,
      at("sqlImageOffer"),
    );
}
/** To join the domain, each account of the group's domain profile needs a password. */
export function checkCredentials(profile: DomainProfile, credentials: DomainCredentials): void {
  const pairs = [
    ["clusterBootstrapAccount", "clusterBootstrapAccountPassword"],
    ["clusterOperatorAccount", "clusterOperatorAccountPassword"],
    ["sqlServiceAccount", "sqlServiceAccountPassword"],
  ] as const;
  for (const [account, password] of pairs) {
    if (profile[account] === undefined || credentials[password]) continue;
    throw errors.domainCredentialsIncomplete(
      `The password of the account '${profile[account]}' is needed to join the group's domain.`,
      at(`wsfcDomainCredentials.${password}`),
    );
  }
}
