/** What `medley doctor` finds. */
import { existsSync } from "node:fs";

export type Finding = {
  readonly what: string;
  readonly problem?: string;
  /** Not an error, but worth fixing. */
  readonly warning?: string;
  readonly fix?: string;
  readonly note?: string;
};

const TOOL_FOLDERS = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/** For a program that is useful but not required. */
export function optionalTool(name: string, purpose: string): Finding {
  const isThere = TOOL_FOLDERS.some((folder) => existsSync(`${folder}/${name}`));
  return { what: `optional: ${name}`, note: isThere ? "installed" : `not installed; needed for ${purpose}` };
}
