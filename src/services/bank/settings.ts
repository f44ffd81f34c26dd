/** The setting that this service adds: how much its callers may ask. */
import { type Config, ConfigError, type Setting, settingOf } from "#kernel/config";

const TIMES_DEFAULT = 10;
const TIMES_MAX = 1_000_000;

export const rateLimit: Setting<number> = {
  flag: "bank-rate-limit",
  key: "bankRateLimit",
  help: "how many times the public bank's limits on requests callers have (10); 0 is no limit",
  read(text) {
    const times = Number(text);
    if (!/^\d+$/.test(text) || times > TIMES_MAX)
      throw new ConfigError(`"${text}" is not a whole number from 0 to ${TIMES_MAX}`);
    return times;
  },
};
export const rateLimitTimesOf = (config: Config): number => settingOf(config, rateLimit) ?? TIMES_DEFAULT;
