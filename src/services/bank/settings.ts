/** The settings that this service adds: how much its callers may ask, and who may come in without a credential. */
import { type Config, ConfigError, isForThisMachineAlone, type Setting, settingOf } from "#kernel/config";

const TIMES_DEFAULT = 10;
const TIMES_MAX = 1_000_000;

export const rateLimit: Setting<number> = {
  flag: "bank-rate-limit",
  key: "bankRateLimit",
  help: "factor on the public bank's rate limits (10); 0 is no limit",
  read(text) {
    const times = Number(text);
    if (!/^\d+$/.test(text) || times > TIMES_MAX)
      throw new ConfigError(`"${text}" is not a whole number from 0 to ${TIMES_MAX}`);
    return times;
  },
};
export const openSandbox: Setting<string> = {
  flag: "bank-open-sandbox",
  key: "bankOpenSandbox",
  help: "ACCOUNT in which anybody creates sandbox users without a credential (on loopback: the oldest account)",
  read(text) {
    if (!/^\d{12}$/.test(text)) throw new ConfigError(`"${text}" is not an account of twelve digits`);
    return text;
  },
};
export function openSandboxOf(config: Config) {
  const account = settingOf(config, openSandbox);
  if (account !== undefined) return { account };
  return isForThisMachineAlone(config) ? ("oldest" as const) : undefined;
}
export const rateLimitTimesOf = (config: Config): number => settingOf(config, rateLimit) ?? TIMES_DEFAULT;
