/** Settings. */
export { readAuthorities } from "./authorities.ts";
export {
  type CarrierSettings,
  type Config,
  ConfigError,
  defaultConfig,
  isLoopback,
  readConfig,
  settings,
  variableOf,
} from "./config.ts";
