/** Tags of groups. */
import { errors } from "../errors.ts";

export type Tags = Readonly<Record<string, string>>;

const TAGS_PER_GROUP_MAX = 50;
const KEY_LENGTH_MAX = 128;
const VALUE_LENGTH_MAX = 256;
const TEXT = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
const RESERVED_KEY = /^(?:aws|vendor):/i;
const lengthOf = (text: string): number => [...text].length;

export function checkTagKey(key: string): void {
  const length = lengthOf(key);
  if (length < 1 || length > KEY_LENGTH_MAX)
    throw errors.badRequest(`A tag key has 1 to ${KEY_LENGTH_MAX} characters.`);
  if (!TEXT.test(key)) throw errors.badRequest(`The tag key "${key}" holds characters that are not allowed.`);
}

export function checkTags(tags: Tags): void {
  for (const [key, value] of Object.entries(tags)) {
    checkTagKey(key);
    if (RESERVED_KEY.test(key))
      throw errors.badRequest(`The tag key "${key}" is reserved: keys that begin with "aws:" are.`);
    if (lengthOf(value) > VALUE_LENGTH_MAX)
      throw errors.badRequest(`The value of tag "${key}" is longer than ${VALUE_LENGTH_MAX} characters.`);
    if (!TEXT.test(value))
      throw errors.badRequest(`The value of tag "${key}" holds characters that are not allowed.`);
  }
  if (Object.keys(tags).length > TAGS_PER_GROUP_MAX)
    throw errors.badRequest(`A group can have ${TAGS_PER_GROUP_MAX} tags at most.`);
}
