/** Settings. */
export { readAuthorities } from "./authorities.ts";
export {
  type Config,
  defaultConfig,
  isForThisMachineAlone,
  isLocalHost,
  isLocalName,
  isLoopback,
  readConfig,
  settingsWith,
} from "./config.ts";
export { type Finding, optionalTool } from "./findings.ts";
export { readOptions } from "./options.ts";
export { ConfigError, type Setting, settingOf, variableOf } from "./setting.ts";
