/** Facts about this service that are available without loading it. */
import type { Manifest } from "#kernel/manifest";

export const manifest: Manifest = {
  environment: (url) => ({ LUIS_ENDPOINT: url }),
  command: {
    usage: [
      "language train APP [--out FILE]",
      "language test APP [TESTS] [--threshold 0.9]",
      'language predict APP "UTTERANCE"',
      "language import APP [--name NAME]",
    ],
    summary:
      "train, test and ask an application of .lu or JSON (a file, a folder or a zip archive) without a server, or import it",
    flags: { out: "text", threshold: "text", name: "text" },
    run: async (input) => (await import("./command.ts")).run(input),
  },
};
