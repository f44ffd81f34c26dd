/** What is known of this service without loading it. */
import type { Manifest } from "#kernel/manifest";

export const manifest: Manifest = {
  environment: (url) => ({ LUIS_ENDPOINT: url }),
  command: {
    usage: [
      "language train APP [--out FILE]",
      "language test APP [TESTS] [--threshold 0.9]",
      'language predict APP "UTTERANCE"',
    ],
    summary:
      "train, test and ask an application of .lu or JSON without a server, as continuous integration does",
    flags: { out: "text", threshold: "text" },
    run: async (input) => (await import("./command.ts")).run(input),
  },
};
