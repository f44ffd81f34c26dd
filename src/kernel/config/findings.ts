/** What `medley doctor` finds. */
import { existsSync } from "node:fs";

export type Finding = {
  readonly what: string;
  readonly problem?: string;
  /** Not wrong, but worth mending. */
  readonly warning?: string;
  readonly mend?: string;
  readonly note?: string;
};

const TOOL_FOLDERS = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/** Of a program that is good to have and needed by nobody. */
export function optionalTool(name: string, purpose: string): Finding {
  const isThere = TOOL_FOLDERS.some((folder) => existsSync(`${folder}/${name}`));
  return { what: `optional: ${name}`, note: isThere ? "there" : `not there; only for ${purpose}` };
}
