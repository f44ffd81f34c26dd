/** Facts about this service that are available without loading it. */
import type { Manifest } from "#kernel/manifest";

export const manifest: Manifest = {
  command: {
    usage: ["unpack FILE [-o OUT] [--json]"],
    summary: "unpack an executable by emulating it; without -o only say what it is",
    flags: { o: "text", json: "switch" },
    run: async (input) => (await import("./command.ts")).run(input),
  },
};
