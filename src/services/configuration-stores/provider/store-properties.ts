/** What a store has besides its tier. */
export type Encryption = {
  readonly keyVaultProperties?: {
    readonly keyIdentifier?: string | null;
    readonly identityClientId?: string | null;
  } | null;
};
export type StoreProperties = { readonly encryption?: Encryption | null };
