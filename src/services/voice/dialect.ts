/** The maker's spelling. Its client libraries name themselves; where they do not, the members of a body tell. */
import { isMakersClient } from "#kernel/arn";
import { defineDialect } from "#kernel/dialects";
import { makersMembers } from "./wire.ts";

const makersNames = new Map(Object.entries(makersMembers).map(([makers, neutral]) => [neutral, makers]));
const NEUTRAL_NAMES = new RegExp(`\\b(?:${[...makersNames.keys()].join("|")})\\b`, "g");

export const makersDialect = defineDialect({
  name: "makers",
  isMakersClient,
  fields: makersMembers,
  /** What is wrong with a member is told by the name it was sent under. */
  wrapAnswer(_operation, status, body) {
    const { Message } = (body ?? {}) as { readonly Message?: unknown };
    if (status < 400 || typeof Message !== "string") return body;
    const told = Message.replace(NEUTRAL_NAMES, (name) => makersNames.get(name) ?? name);
    return { ...(body as object), Message: told };
  },
});
