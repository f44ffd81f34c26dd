/** Chains of certificates as they are kept: one PEM after the other. */
export const CERTIFICATES_MAX = 20;
export type PinnedChain = { readonly chain: string };

const END = "-----END CERTIFICATE-----";
export const certificatesIn = (chain: string): readonly string[] =>
  chain
    .split(END)
    .slice(0, -1)
    .map((part) => `${part.trim()}\n${END}\n`);
