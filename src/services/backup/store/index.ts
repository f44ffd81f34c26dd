/** All SQL of this service. */
export * from "./backup-jobs.ts";
export * from "./chunks.ts";
export * from "./copy-jobs.ts";
export * from "./frameworks.ts";
export * from "./holds.ts";
export * from "./newest-first.ts";
export * from "./points.ts";
export * from "./protected.ts";
export * from "./reports.ts";
export * from "./restore-jobs.ts";
export * from "./restore-testing.ts";
export * from "./settings.ts";
export * from "./summaries.ts";
export * from "./vaults.ts";
