/** Facts about this service that are available without loading it. */
import type { Manifest } from "#kernel/manifest";

export const manifest: Manifest = {
  environment: (url) => ({
    AWS_ENDPOINT_URL_IOT_EVENTS: `${url}/events`,
    AWS_ENDPOINT_URL_IOT_EVENTS_DATA: `${url}/events`,
  }),
  command: {
    usage: ["events tail MODEL [--key KEY]"],
    summary: "follow what the detectors or alarms of a model do",
    flags: { key: "text" },
    run: async (input) => (await import("./command.ts")).run(input),
  },
};
