/** Names of members are understood as JSON and as protocol buffers spell them. */
const camelCased = (word: string): string =>
  word.replace(/_([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase());

/** Members with user-defined names, whose spelling is kept. */
export const MAPS: ReadonlySet<string> = new Set(["labels", "environmentVariables"]);

/** `service_config.available_memory` as the members that lead there. */
export function membersOf(path: string): string[] {
  const members: string[] = [];
  for (const word of path.split(".")) members.push(MAPS.has(members.at(-1) ?? "") ? word : camelCased(word));
  return members;
}
