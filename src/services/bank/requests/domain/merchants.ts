/** Ways in which strangers pay at their own bank. */

export const MERCHANT_KINDS = [
  "ideal-merchant-transaction",
  "sofort-merchant-transaction",
  "open-banking-merchant-transaction",
] as const;
export type MerchantKind = (typeof MERCHANT_KINDS)[number];
/** Other banks that the issuer page simulates. */
export const ISSUERS: Readonly<Record<string, string>> = {
  TESTNL2A: "Test Bank Amsterdam",
  TESTDEFF: "Testbank Frankfurt",
  TESTBEBB: "Banque de test Bruxelles",
};
