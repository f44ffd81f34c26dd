/** Names of members are understood as JSON and as protocol buffers spell them. */
export const camelCased = (word: string): string =>
  word.replace(/_([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase());
