/** Settings. */
export {
  type CarrierSettings,
  type Config,
  ConfigError,
  defaultConfig,
  isLoopback,
  readConfig,
  settings,
} from "./config.ts";
