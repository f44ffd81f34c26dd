/** Deterministic UUIDs, so that a repeated delivery of an action has the same id. */
import { hash } from "node:crypto";

export function uuidOfName(name: string): string {
  const digest = hash("sha1", name);
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 3) | 8).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
