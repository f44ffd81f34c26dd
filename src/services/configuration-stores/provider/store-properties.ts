/** Properties of a store besides its tier. */
import type { NetworkAccess } from "../domain/network.ts";

export type Encryption = {
  readonly keyVaultProperties?: {
    readonly keyIdentifier?: string | null;
    readonly identityClientId?: string | null;
  } | null;
};
export type StoreProperties = {
  readonly encryption?: Encryption | null;
  readonly disableLocalAuth?: boolean;
  readonly publicNetworkAccess?: NetworkAccess | null;
  readonly enablePurgeProtection?: boolean;
  readonly softDeleteRetentionInDays?: number;
  readonly createMode?: "Default" | "Recover";
};
