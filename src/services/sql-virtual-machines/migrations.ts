/** Renames the secrets of groups and machines to the paths of their members. */
import type { Migration } from "#kernel/operation";
import { rewriteSecrets } from "#kernel/resource-provider";

const CONNECTIVITY = "serverConfigurationsManagementSettings.sqlConnectivityUpdateSettings";
const PATHS: Readonly<Record<string, string>> = {
  storageAccountPrimaryKey: "wsfcDomainProfile.storageAccountPrimaryKey",
  clusterBootstrapAccountPassword: "wsfcDomainCredentials.clusterBootstrapAccountPassword",
  clusterOperatorAccountPassword: "wsfcDomainCredentials.clusterOperatorAccountPassword",
  sqlServiceAccountPassword: "wsfcDomainCredentials.sqlServiceAccountPassword",
  backupStorageKey: "autoBackupSettings.storageAccessKey",
  backupPassword: "autoBackupSettings.password",
  keyVaultSecret: "keyVaultCredentialSettings.servicePrincipalSecret",
  sqlLoginName: `${CONNECTIVITY}.sqlAuthUpdateUserName`,
  sqlLoginPassword: `${CONNECTIVITY}.sqlAuthUpdatePassword`,
};

export const migrations: Readonly<Record<string, Migration>> = {
  "001-secrets-by-path": {
    async up(db, tools) {
      /** The oldest secrets were stored in plain text. */
      const sealed = async (text: string): Promise<string> => {
        const box = await tools.secrets();
        try {
          box.open(text);
          return text;
        } catch {
          return box.seal(text);
        }
      };
      for (const type of ["sqlVirtualMachineGroups", "sqlVirtualMachines"])
        await rewriteSecrets(db, `Vendor.SqlVirtualMachine/${type}`, async (secrets) => {
          const renamed: Record<string, string> = {};
          for (const [name, kept] of Object.entries(secrets))
            renamed[PATHS[name] ?? name] = await sealed(String(kept));
          return renamed;
        });
    },
  },
};
