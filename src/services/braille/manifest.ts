/** Facts about this service that are available without loading it. */
import type { Finding } from "#kernel/config";
import type { Manifest } from "#kernel/manifest";
import { brailleEngine, type EngineChoice, engineChoiceOf } from "./settings.ts";

export type BrailleSettings = { readonly brailleEngine?: EngineChoice };

export const manifest: Manifest = {
  settings: [brailleEngine],
  async check(config): Promise<Finding[]> {
    const { findEngines } = await import("./translator/engines.ts");
    const { preferred, systemProblem } = await findEngines(engineChoiceOf(config));
    return [{ what: "braille engine", note: systemProblem ? `${preferred}; ${systemProblem}` : preferred }];
  },
};
