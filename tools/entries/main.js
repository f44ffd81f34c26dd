#!/usr/bin/env node
import { createRequire } from "node:module";

process.exitCode = await createRequire(import.meta.url)("./load.cjs").run(process.argv.slice(2));
