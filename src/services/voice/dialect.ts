/**
 * Dialect of the original vendor. Its client libraries identify themselves; other clients are recognised by
 * the members of the body.
 */
import { isMakersClient } from "#kernel/arn";
import { defineDialect } from "#kernel/dialects";
import { makersMembers } from "./wire.ts";

const makersNames = new Map(Object.entries(makersMembers).map(([makers, neutral]) => [neutral, makers]));
const NEUTRAL_NAMES = new RegExp(`\\b(?:${[...makersNames.keys()].join("|")})\\b`, "g");

export const makersDialect = defineDialect({
  name: "makers",
  isMakersClient,
  fields: makersMembers,
  /** Error messages name members as the client sent them. */
  wrapAnswer(_operation, status, body) {
    const { Message } = (body ?? {}) as { readonly Message?: unknown };
    if (status < 400 || typeof Message !== "string") return body;
    const told = Message.replace(NEUTRAL_NAMES, (name) => makersNames.get(name) ?? name);
    return { ...(body as object), Message: told };
  },
});
