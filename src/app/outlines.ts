/** What is known of each service without loading it, by name. The build fills it in for the bundle; elsewhere there is none. */
import type { Outline } from "./lazy-service.ts";

export const outlines: Readonly<Record<string, Outline>> = {};
