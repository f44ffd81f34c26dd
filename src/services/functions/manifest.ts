/** Facts about this service that are available without loading it. */
import { optionalTool } from "#kernel/config";
import type { Manifest } from "#kernel/manifest";
import { settings } from "./settings.ts";

export const manifest: Manifest = {
  settings,
  check: async (config) => [
    await (await import("./running/doctor.ts")).isolationOf(config),
    optionalTool("bwrap", "isolating deployed functions with their own file system (bubblewrap)"),
    optionalTool("python3", "running functions written in Python"),
    ...["go", "java", "ruby", "php", "dotnet"].map((program) =>
      optionalTool(program, `running functions whose medley-function.json names ${program}`),
    ),
  ],
  command: {
    usage: [
      "functions deploy FOLDER --name NAME [--runtime R] [--entry-point E] [--set NAME=VALUE] [--allow-unauthenticated]",
      "functions logs NAME [--follow]",
      "functions emit TYPE [DATA|@FILE] [--attribute NAME=VALUE]",
    ],
    summary: "deploy functions, read what they write, send them events",
    flags: {
      name: "text",
      runtime: "text",
      "entry-point": "text",
      project: "text",
      location: "text",
      set: "list",
      "event-type": "text",
      topic: "text",
      "allow-unauthenticated": "switch",
      follow: "switch",
      source: "text",
      attribute: "list",
    },
    run: async (input) => (await import("./command.ts")).run(input),
  },
};
