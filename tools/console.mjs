/** Builds the console's app into dist/console: types from the OpenAPI document, then the bundle. */
import { build } from "vite";
import "./console-types.mjs";

await build({ configFile: "console/vite.config.ts", logLevel: "warn" });
