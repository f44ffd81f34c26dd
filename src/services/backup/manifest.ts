/** Facts about this service that are available without loading it. */
import type { Manifest } from "#kernel/manifest";
import { backupRoots, organization } from "./settings.ts";

export const manifest: Manifest = {
  settings: [backupRoots, organization],
  command: {
    usage: ["backup verify [VAULT] [--account ACCOUNT]"],
    summary: "look at every stored chunk and name the recovery points of what is damaged",
    flags: { account: "text" },
    run: async (input) => (await import("./command.ts")).run(input),
  },
  environment: (url) => ({ AWS_ENDPOINT_URL_BACKUP: `${url}/backup` }),
};
