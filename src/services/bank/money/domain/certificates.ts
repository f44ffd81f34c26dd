/** Stored certificate chains: PEM blocks one after the other. */

import { Type } from "@sinclair/typebox";
import { type KeptOf, recordKind } from "../../book/index.ts";

export const CERTIFICATES_MAX = 20;
export const PinnedChain = recordKind(["certificate-pinned"], Type.Object({ chain: Type.String() }));
export type PinnedChain = KeptOf<typeof PinnedChain>;

const END = "-----END CERTIFICATE-----";
export const certificatesIn = (chain: string): readonly string[] =>
  chain
    .split(END)
    .slice(0, -1)
    .map((part) => `${part.trim()}\n${END}\n`);
