/** Settings of this service. */
import { type Config, ConfigError, type Setting, settingOf } from "#kernel/config";

/** The largest possible index fits into the minimum. */
const INDEX_MB_MIN = 256;
const INDEX_MB_MAX = 65_536;
const INDEX_MB_DEFAULT = 512;

function readMegabytes(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < INDEX_MB_MIN || count > INDEX_MB_MAX)
    throw new ConfigError(`"${text}" is not a whole number from ${INDEX_MB_MIN} to ${INDEX_MB_MAX}`);
  return count;
}

const indexMb: Setting<number> = {
  flag: "face-index-mb",
  key: "faceIndexMb",
  read: readMegabytes,
  help: `memory for indexes of faces (${INDEX_MB_DEFAULT})`,
};
export const indexBytesMaxOf = (config: Config): number =>
  (settingOf(config, indexMb) ?? INDEX_MB_DEFAULT) * 1024 * 1024;

const CHOICES = ["on", "off"] as const;
export type DemographicsChoice = (typeof CHOICES)[number];

const demographics: Setting<DemographicsChoice> = {
  flag: "face-demographics",
  key: "faceDemographics",
  help: "on or off: age, gender, smile and emotion are available (on)",
  read(text) {
    const choice = CHOICES.find((one) => one === text);
    if (choice === undefined) throw new ConfigError(`"${text}" is none of ${CHOICES.join(", ")}`);
    return choice;
  },
};
export const allowsDemographics = (config: Config): boolean =>
  (settingOf(config, demographics) ?? "on") === "on";

export const faceSettings = [indexMb, demographics];
