/** The engine setting of this service. */
import { type Config, ConfigError, type Setting, settingOf } from "#kernel/config";

/** `auto`: the system's engine if it is installed and has the table, otherwise the bundled one. */
const CHOICES = ["auto", "bundled"] as const;
export type EngineChoice = (typeof CHOICES)[number];

export const brailleEngine: Setting<EngineChoice> = {
  flag: "braille-engine",
  key: "brailleEngine",
  help: "auto (the system's liblouis if installed) or bundled",
  read(text) {
    const choice = CHOICES.find((one) => one === text);
    if (choice === undefined) throw new ConfigError(`"${text}" is none of ${CHOICES.join(", ")}`);
    return choice;
  },
};
export const engineChoiceOf = (config: Config): EngineChoice => settingOf(config, brailleEngine) ?? "auto";
