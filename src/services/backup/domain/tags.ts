/** Tags of this service's resources. */
import { errors } from "../errors.ts";

export type Tags = Readonly<Record<string, string>>;

export const TAGS_MAX = 50;
const KEY_LENGTH_MAX = 128;
const VALUE_LENGTH_MAX = 256;
const RESERVED_KEY = /^(?:aws|vendor):/i;

export function checkTags(tags: Tags): void {
  if (Object.keys(tags).length > TAGS_MAX)
    throw errors.invalidParameterValue(`A resource can have ${TAGS_MAX} tags.`);
  for (const [key, value] of Object.entries(tags)) {
    if (key.length === 0 || key.length > KEY_LENGTH_MAX)
      throw errors.invalidParameterValue(`The tag key "${key}" must have 1 to ${KEY_LENGTH_MAX} characters.`);
    if (value.length > VALUE_LENGTH_MAX)
      throw errors.invalidParameterValue(
        `The value of the tag "${key}" can have ${VALUE_LENGTH_MAX} characters.`,
      );
    if (RESERVED_KEY.test(key))
      throw errors.invalidParameterValue(
        `The tag key "${key}" is reserved: keys that begin with "aws:" are.`,
      );
  }
}

/** Tags that are added to others. */
export function mergeTags(before: Tags, added: Tags): Tags {
  checkTags(added);
  const tags = { ...before, ...added };
  if (Object.keys(tags).length > TAGS_MAX)
    throw errors.limitExceeded(`A resource can have ${TAGS_MAX} tags.`);
  return tags;
}
