/** Facts about this service that are available without loading it. */
import type { Manifest } from "#kernel/manifest";
import { settings } from "./settings.ts";

export const manifest: Manifest = {
  settings,
  command: {
    usage: ["podcasts import FILE|FOLDER"],
    summary: "bring in podcasts: an OPML file, a list of addresses, or feeds as files",
    run: async (input) => (await import("./import/command.ts")).run(input),
  },
};
