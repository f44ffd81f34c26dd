/**
 * `npm run build`: what a start needs, and no checks. Every module on its own (worker threads, child processes and tests
 * load those), the bundle that starts quickly, the scripts of services' pages, and the console's app.
 */
import { cpSync } from "node:fs";
import { build as buildConsole } from "vite";
import { bundle } from "./bundle.mjs";
import { writeErrorWords } from "./error-words.mjs";
import { linkCommand, writeLibrary } from "./library.mjs";
import { buildServicePages } from "./service-pages.mjs";
import { transpile } from "./transpile.mjs";
import { vendor } from "./vendor.mjs";

await transpile();
await vendor();
await buildServicePages();
await bundle();
writeLibrary();
linkCommand();
await import("./console-types.mjs");
await buildConsole({ configFile: "console/vite.config.ts", logLevel: "warn" });
writeErrorWords("dist/console/error-words.json");
cpSync("console/answers", "dist/console/answers", { recursive: true });
