/** Facts about this service that are available without loading it. */
import type { Manifest } from "#kernel/manifest";

export const manifest: Manifest = {
  command: {
    usage: ["robotics import FOLDER|FILE"],
    summary: "read seasons from the public archive's files or from saved answers",
    run: async (input) => (await import("./import/command.ts")).run(input),
  },
};
