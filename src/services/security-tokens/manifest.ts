/** What is known of the service without loading it. */
import type { Manifest } from "#kernel/manifest";

export const manifest: Manifest = {
  environment: (url) => ({ AWS_ENDPOINT_URL_STS: `${url}/sts` }),
};
