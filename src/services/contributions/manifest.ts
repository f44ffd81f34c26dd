/** Facts about this service that are available without loading it. */
import type { Finding } from "#kernel/config";
import type { Manifest } from "#kernel/manifest";
import { contributionsSettings } from "./settings.ts";

export type ContributionsSettings = { readonly contributionsMediaMb?: number };

export const manifest: Manifest = {
  settings: contributionsSettings,
  environment: (url) => ({ CONTRIBUTIONS_ENDPOINT: url }),
  async check(): Promise<Finding[]> {
    const { findFfmpegVersion } = await import("./media/poster.ts");
    const version = await findFfmpegVersion();
    const note =
      version === undefined
        ? "ffmpeg is not installed: films get a generated placeholder picture"
        : `ffmpeg ${version} makes the preview pictures of films`;
    return [{ what: "films", note }];
  },
};
