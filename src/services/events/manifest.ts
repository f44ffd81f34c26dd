/** What is known of this service without loading it. */
import type { Manifest } from "#kernel/operation";
import { command } from "./command.ts";

export const manifest: Manifest = {
  environment: (url) => ({
    AWS_ENDPOINT_URL_IOT_EVENTS: `${url}/events`,
    AWS_ENDPOINT_URL_IOT_EVENTS_DATA: `${url}/events`,
  }),
  command,
};
