/** Facts about this service that are available without loading it. */
import type { Manifest } from "#kernel/manifest";

export const manifest: Manifest = {
  environment: (url) => ({ AWS_ENDPOINT_URL_RESOURCE_GROUPS: `${url}/resource-groups` }),
};
