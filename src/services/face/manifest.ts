/** Facts about this service that are available without loading it. */
import type { Finding } from "#kernel/config";
import type { Manifest } from "#kernel/manifest";
import { allowsDemographics, type DemographicsChoice, faceSettings } from "./settings.ts";

export type FaceSettings = { readonly faceDemographics?: DemographicsChoice; readonly faceIndexMb?: number };

export const manifest: Manifest = {
  settings: faceSettings,
  environment: (url) => ({ FACE_ENDPOINT: url }),
  async check(config): Promise<Finding[]> {
    const { findModelProblem } = await import("./recognizer/models-check.ts");
    const problem = await findModelProblem();
    if (problem !== undefined)
      return [{ what: "face models", problem, fix: "install the packages again: npm ci" }];
    const demographics = allowsDemographics(config)
      ? "age, gender and emotion are on"
      : "age, gender and emotion are off";
    return [{ what: "face models", note: `complete; ${demographics}` }];
  },
};
