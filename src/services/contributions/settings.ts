/** The settings that this service adds. */
import { type Config, ConfigError, type Setting, settingOf } from "#kernel/config";

const MEDIA_MB_DEFAULT = 200;
const MEDIA_MB_MAX = 1024;
/** The hard limit of an upload, independent of the setting. */
export const MEDIA_BYTES_MAX = MEDIA_MB_MAX * 1024 * 1024;

const mediaMb: Setting<number> = {
  flag: "contributions-media-mb",
  key: "contributionsMediaMb",
  help: `largest size of a picture or film (${MEDIA_MB_DEFAULT})`,
  read(text) {
    const count = Number(text);
    if (!Number.isInteger(count) || count < 1 || count > MEDIA_MB_MAX)
      throw new ConfigError(`"${text}" is not a whole number from 1 to ${MEDIA_MB_MAX}`);
    return count;
  },
};
export const mediaBytesMaxOf = (config: Config): number =>
  (settingOf(config, mediaMb) ?? MEDIA_MB_DEFAULT) * 1024 * 1024;

export const contributionsSettings = [mediaMb];
