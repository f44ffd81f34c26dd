/** Finds exports that nobody imports and dependencies that nobody uses. */
import { spawnSync } from "node:child_process";
import { commandOf } from "./installed.mjs";

const words = ["--tsConfig", "tsconfig.build.json", "--exclude", "types"];
process.exit(spawnSync(commandOf("analysis", "knip"), words, { stdio: "inherit" }).status ?? 1);
