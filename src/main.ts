#!/usr/bin/env node
/** Entry of the command line. */
import { run } from "./cli/index.ts";

process.exitCode = await run(process.argv.slice(2));
