/** Outlines of services by name. The build fills them in for the bundle; elsewhere they are empty. */
import type { Outline } from "./lazy-service.ts";

export const outlines: Readonly<Record<string, Outline>> = {};
