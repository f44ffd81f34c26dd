/** Limits on counts, and on names. */
import { errors } from "../errors.ts";

export const APPLICATIONS_MAX = 500;
export const VERSIONS_MAX = 100;
export const INTENTS_MAX = 500;
/** Of these, machine-learned, hierarchical and composite ones count together. */
export const LEARNED_ENTITIES_MAX = 150;
export const LIST_ENTITIES_MAX = 50;
export const SUB_LISTS_MAX = 20_000;
export const REGEX_ENTITIES_MAX = 20;
export const PATTERN_ANY_ENTITIES_MAX = 100;
export const EXPLICIT_LIST_MAX = 5_000;
export const ROLES_PER_ENTITY_MAX = 10;
export const CHILDREN_MAX = 50;
/** An entity and four levels below it. */
export const LEVELS_MAX = 5;
export const FEATURES_PER_MODEL_MAX = 50;
export const PHRASE_LISTS_MAX = 500;
export const PHRASES_MAX = 5_000;
export const PATTERNS_MAX = 500;
export const PATTERN_LENGTH_MAX = 400;
export const REGEX_LENGTH_MAX = 500;
export const UTTERANCES_MAX = 15_000;
export const UTTERANCE_LENGTH_MAX = 500;
export const BATCH_MAX = 100;
export const NAME_LENGTH_MAX = 100;
export const WORD_LENGTH_MAX = 500;
export const DESCRIPTION_LENGTH_MAX = 2_000;
export const VERSION_NAME_LENGTH_MAX = 10;

/** Names are compared without regard to case. */
export const keyOf = (name: string): string => name.toLowerCase();

/** Utterances that differ in case or outer blanks alone are one. */
export const textKeyOf = (text: string): string => text.trim().toLowerCase();

const FORBIDDEN_IN_NAMES = /[:$]/;
const FORBIDDEN_IN_VERSIONS = /[\\/:?&=*+()%@$~!#]/;

/** Intents, entities and roles. */
export function checkName(what: string, name: string | null | undefined): string {
  const given = (name ?? "").trim();
  if (given === "") throw errors.badArgument(`The name of the ${what} must be given.`);
  if (given.length > NAME_LENGTH_MAX)
    throw errors.badArgument(`The name of the ${what} has more than ${NAME_LENGTH_MAX} characters.`);
  if (FORBIDDEN_IN_NAMES.test(given))
    throw errors.badArgument(
      `The name of the ${what} has one of the characters : and $, which no name may have.`,
    );
  return given;
}

export function checkVersionName(name: string | null | undefined): string {
  const given = (name ?? "").trim();
  if (given === "") throw errors.badArgument("The version must be given.");
  if (given.length > VERSION_NAME_LENGTH_MAX)
    throw errors.badArgument(`The version has more than ${VERSION_NAME_LENGTH_MAX} characters.`);
  if (FORBIDDEN_IN_VERSIONS.test(given))
    throw errors.badArgument("The version has a character that no version may have.");
  return given;
}

export function checkLength(what: string, text: string, most: number): void {
  if (text.length > most) throw errors.badArgument(`The ${what} has more than ${most} characters.`);
}

export function checkRoom(what: string, count: number, most: number): void {
  if (count > most) throw errors.badArgument(`There are ${most} ${what} at the most.`);
}
