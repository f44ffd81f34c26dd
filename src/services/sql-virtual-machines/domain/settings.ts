/** Validation of machine settings: patching, backup, key vault and connectivity. */
import { commonErrors, machineErrors as errors } from "../errors.ts";
import { checkPort } from "./listeners.ts";

type AutoPatching = {
  readonly enable?: boolean;
  readonly dayOfWeek?: string;
  readonly maintenanceWindowStartingHour?: number;
  readonly maintenanceWindowDuration?: number;
};
type AutoBackup = {
  readonly enable?: boolean;
  readonly enableEncryption?: boolean;
  readonly retentionPeriod?: number;
  readonly storageAccountUrl?: string;
  readonly storageAccessKey?: string;
  readonly password?: string;
  readonly backupScheduleType?: string;
  readonly fullBackupFrequency?: string;
  readonly fullBackupStartTime?: number;
  readonly fullBackupWindowHours?: number;
  readonly logBackupFrequency?: number;
};
type KeyVaultCredential = {
  readonly enable?: boolean;
  readonly vendorKeyVaultUrl?: string;
  readonly servicePrincipalName?: string;
  readonly servicePrincipalSecret?: string;
  readonly credentialName?: string;
};
type ServerConfiguration = {
  readonly sqlConnectivityUpdateSettings?: {
    readonly port?: number;
    readonly sqlAuthUpdateUserName?: string;
    readonly sqlAuthUpdatePassword?: string;
  };
  readonly sqlStorageUpdateSettings?: {
    readonly diskCount?: number;
    readonly startingDeviceId?: number;
    readonly diskConfigurationType?: string;
  };
};

const at = (member: string) => ({ target: `properties.${member}` });
const HOUR_MAX = 23;

function checkRange(value: number | undefined, [min, max]: readonly [number, number], member: string): void {
  if (value === undefined || (value >= min && value <= max)) return;
  throw commonErrors.argumentNotInRange(`${member} is a number from ${min} to ${max}.`, at(member));
}

export function checkPatching(settings: AutoPatching): void {
  const member = "autoPatchingSettings";
  checkRange(
    settings.maintenanceWindowStartingHour,
    [0, HOUR_MAX],
    `${member}.maintenanceWindowStartingHour`,
  );
  checkRange(settings.maintenanceWindowDuration, [30, 180], `${member}.maintenanceWindowDuration`);
  if (!settings.enable) return;
  const { dayOfWeek, maintenanceWindowStartingHour, maintenanceWindowDuration } = settings;
  const parts = [dayOfWeek, maintenanceWindowStartingHour, maintenanceWindowDuration];
  if (parts.includes(undefined))
    throw errors.patchingIncomplete(
      "Automatic patching needs the day of the week and the hour and length of its window.",
      at(member),
    );
}

/** Whether these secrets are already stored. */
type BackupSecrets = { readonly storageAccessKey: boolean; readonly password: boolean };
export function checkBackup(settings: AutoBackup, known: BackupSecrets): void {
  const member = "autoBackupSettings";
  checkRange(settings.retentionPeriod, [1, 30], `${member}.retentionPeriod`);
  checkRange(settings.fullBackupStartTime, [0, HOUR_MAX], `${member}.fullBackupStartTime`);
  checkRange(settings.fullBackupWindowHours, [1, HOUR_MAX], `${member}.fullBackupWindowHours`);
  checkRange(settings.logBackupFrequency, [5, 60], `${member}.logBackupFrequency`);
  if (!settings.enable) return;
  if (settings.storageAccountUrl === undefined || !(settings.storageAccessKey ?? known.storageAccessKey))
    throw errors.backupStorageCredentialsMissing(
      "Automatic backup needs a storage account and its access key.",
      at(member),
    );
  if (settings.retentionPeriod === undefined)
    throw errors.backupIncomplete(
      "Automatic backup needs a retention period.",
      at(`${member}.retentionPeriod`),
    );
  if (settings.enableEncryption && !(settings.password ?? known.password))
    throw errors.backupPasswordMissing("Encrypted backups need a password.", at(`${member}.password`));
  checkBackupSchedule(settings);
}
function checkBackupSchedule(settings: AutoBackup): void {
  const { backupScheduleType, fullBackupFrequency, fullBackupStartTime, fullBackupWindowHours } = settings;
  const parts = [
    fullBackupFrequency,
    fullBackupStartTime,
    fullBackupWindowHours,
    settings.logBackupFrequency,
  ];
  const given = parts.filter((part) => part !== undefined).length;
  if (backupScheduleType === undefined && given > 0)
    throw errors.backupScheduleTypeNotSet(
      "A schedule of one's own needs backupScheduleType Manual.",
      at("autoBackupSettings.backupScheduleType"),
    );
  if (backupScheduleType === "Manual" && given < parts.length)
    throw errors.backupIncomplete(
      "A manual schedule needs the frequency, start and window of full backups and the frequency of log backups.",
      at("autoBackupSettings"),
    );
}

export function checkKeyVault(settings: KeyVaultCredential, isSecretKnown: boolean): void {
  if (!settings.enable) return;
  const { vendorKeyVaultUrl, servicePrincipalName, credentialName, servicePrincipalSecret } = settings;
  const parts = [vendorKeyVaultUrl, servicePrincipalName, credentialName];
  const hasSecret = servicePrincipalSecret === undefined ? isSecretKnown : servicePrincipalSecret !== "";
  if (hasSecret && parts.every((part) => part !== undefined && part !== "")) return;
  throw errors.keyVaultCredentialsMissing(
    "A key vault needs its address, a credential's name, and a service principal's name and secret.",
    at("keyVaultCredentialSettings"),
  );
}

export function checkServerConfiguration(settings: ServerConfiguration): void {
  const member = "serverConfigurationsManagementSettings";
  const { sqlConnectivityUpdateSettings: connectivity, sqlStorageUpdateSettings: storage } = settings;
  checkPort(connectivity?.port, `properties.${member}.sqlConnectivityUpdateSettings.port`);
  const hasName = connectivity?.sqlAuthUpdateUserName !== undefined;
  const hasPassword = connectivity?.sqlAuthUpdatePassword !== undefined;
  if (hasName !== hasPassword)
    throw errors.sqlCredentialsMissing(
      "A SQL login needs both its name and its password.",
      at(`${member}.sqlConnectivityUpdateSettings`),
    );
  if (!storage) return;
  const inStorage = `${member}.sqlStorageUpdateSettings`;
  if (storage.diskCount === undefined || storage.diskConfigurationType === undefined)
    throw errors.storageIncomplete(
      "Storage needs a number of disks and how to configure them.",
      at(inStorage),
    );
  checkRange(storage.diskCount, [1, 64], `${inStorage}.diskCount`);
  checkRange(storage.startingDeviceId, [0, 64], `${inStorage}.startingDeviceId`);
}
