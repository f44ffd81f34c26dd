/** What is known of this service without loading it. */
import { optionalTool } from "#kernel/config";
import type { Manifest } from "#kernel/operation";
import { command } from "./command.ts";
import { settings } from "./settings.ts";

export const manifest: Manifest = {
  settings,
  check: async () => [
    optionalTool(
      "bwrap",
      "shutting deployed functions in with namespaces and a file system of their own (bubblewrap)",
    ),
    optionalTool("python3", "running functions written in Python"),
  ],
  command,
};
