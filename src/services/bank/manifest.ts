/** Facts about this service that are available without loading it. */
import type { Manifest } from "#kernel/manifest";
import { openSandbox, rateLimit } from "./settings.ts";

export type BankSettings = { readonly bankRateLimit?: number; readonly bankOpenSandbox?: string };

export const manifest: Manifest = { settings: [rateLimit, openSandbox] };
