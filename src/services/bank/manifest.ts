/** What is known of this service without loading it. */
import type { Manifest } from "#kernel/manifest";
import { rateLimit } from "./settings.ts";

export type BankSettings = { readonly bankRateLimit?: number };

export const manifest: Manifest = { settings: [rateLimit] };
