/** Facts about this service that are available without loading it. */
import { optionalTool } from "#kernel/config";
import type { Manifest } from "#kernel/manifest";
import { type CarrierSettings, carrier } from "./settings.ts";

export type VoiceSettings = { readonly carrier?: CarrierSettings };

export const manifest: Manifest = {
  settings: [carrier],
  environment: (url) => ({ AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE: `${url}/voice` }),
  check: async () => [optionalTool("sipp", "trying voice calls against a SIP peer")],
};
