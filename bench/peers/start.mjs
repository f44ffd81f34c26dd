/** Starts another maker's server. Undefined where it cannot be installed. */
import { pathToFileURL } from "node:url";
import { startProcess } from "../load.mjs";
import { installPackage } from "./install.mjs";

export function startPeer(name, ...options) {
  const script = installPackage(name);
  return script && startProcess(pathToFileURL(script), ...options);
}
