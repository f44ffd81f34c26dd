/** The settings that this service adds. */
import { type Config, ConfigError, type Setting, settingOf } from "#kernel/config";

function readSwitch(text: string): boolean {
  if (["true", "yes", "on", "1", ""].includes(text.toLowerCase())) return true;
  if (["false", "no", "off", "0"].includes(text.toLowerCase())) return false;
  throw new ConfigError(`"${text}" is neither true nor false`);
}
function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw new ConfigError(`"${text}" is not a whole number from 1 to 10000`);
  return count;
}
const ISOLATION = ["bubblewrap", "namespaces", "permissions"] as const;
type Isolation = (typeof ISOLATION)[number];
function readIsolation(text: string): Isolation {
  const found = ISOLATION.find((level) => level === text);
  if (!found) throw new ConfigError(`"${text}" is none of ${ISOLATION.join(", ")}`);
  return found;
}

const network: Setting<boolean> = {
  flag: "functions-network",
  key: "functionsNetwork",
  isSwitch: true,
  read: readSwitch,
  help: "deployed functions may use the network",
};
const installs: Setting<boolean> = {
  flag: "functions-install",
  key: "functionsInstall",
  isSwitch: true,
  read: readSwitch,
  help: "install the dependencies of a deployed function's package.json from the network",
};
const instances: Setting<number> = {
  flag: "functions-instances",
  key: "functionsInstances",
  read: readCount,
  help: "number of function processes at the same time (40)",
};
const idleSeconds: Setting<number> = {
  flag: "functions-idle-seconds",
  key: "functionsIdleSeconds",
  read: readCount,
  help: "an idle function process ends after this time (60)",
};
const isolation: Setting<Isolation> = {
  flag: "functions-isolation",
  key: "functionsIsolation",
  read: readIsolation,
  help: "isolation of functions: bubblewrap, namespaces or permissions (the strongest available)",
};
export const settings = [network, installs, instances, idleSeconds, isolation];

const INSTANCES_MAX = 40;
const IDLE_SECONDS = 60;
export const settingsOf = (config: Config) => ({
  hasNetwork: settingOf(config, network) ?? false,
  mayInstall: settingOf(config, installs) ?? false,
  instancesMax: settingOf(config, instances) ?? INSTANCES_MAX,
  idleMs: (settingOf(config, idleSeconds) ?? IDLE_SECONDS) * 1000,
  isolation: settingOf(config, isolation),
});
