/** Selections: which resources a plan backs up, by name, wildcard, tags and conditions. */
import { matchesPattern } from "#kernel/arn";
import { errors } from "../errors.ts";
import type { Tags } from "./tags.ts";

export type TagCondition = { readonly key: string; readonly value: string };
export type Conditions = {
  readonly equals: readonly TagCondition[];
  readonly notEquals: readonly TagCondition[];
  readonly like: readonly TagCondition[];
  readonly notLike: readonly TagCondition[];
};
export type Selection = {
  readonly name: string;
  readonly roleArn: string;
  readonly resources: readonly string[];
  readonly notResources: readonly string[];
  /** Any of these. */
  readonly tags: readonly TagCondition[];
  /** All of these. */
  readonly conditions: Conditions;
};
export type Selectable = { readonly arn: string; readonly tags: Tags };

const NAMES_MAX = 500;
const WILDCARDS_MAX = 30;
const CONDITIONS_MAX = 500;
const TAG_KEY = /^(?:aws|vendor):ResourceTag\//;
const WILDCARD = /[*?]/;

export const isWildcard = (name: string): boolean => WILDCARD.test(name);

/** Conditions name a tag by `vendor:ResourceTag/key`. */
const tagKeyOf = (key: string): string => key.replace(TAG_KEY, "");

function checkNames(member: string, names: readonly string[]): void {
  if (names.length > NAMES_MAX) throw errors.invalidParameterValue(`${member} can have ${NAMES_MAX} names.`);
  if (names.filter(isWildcard).length > WILDCARDS_MAX)
    throw errors.invalidParameterValue(`${member} can have ${WILDCARDS_MAX} names with wildcards.`);
  for (const name of names)
    if (name !== "*" && !name.startsWith("arn:"))
      throw errors.invalidParameterValue(
        `${member} contains a value that is neither an ARN nor "*": ${name}.`,
      );
}

export function checkSelection(selection: Selection): void {
  checkNames("Resources", selection.resources);
  checkNames("NotResources", selection.notResources);
  const { equals, notEquals, like, notLike } = selection.conditions;
  const conditions = [...equals, ...notEquals, ...like, ...notLike];
  if (selection.tags.length + conditions.length > CONDITIONS_MAX)
    throw errors.invalidParameterValue(`A selection can have ${CONDITIONS_MAX} conditions.`);
  for (const { key } of conditions)
    if (!TAG_KEY.test(key) || tagKeyOf(key) === "")
      throw errors.invalidParameterValue(`The key of a condition begins with "vendor:ResourceTag/": ${key}.`);
}

const hasTag = (tags: Tags, key: string): boolean => Object.hasOwn(tags, key);
const equals = (tags: Tags, { key, value }: TagCondition): boolean =>
  hasTag(tags, tagKeyOf(key)) && tags[tagKeyOf(key)] === value;
const isLike = (tags: Tags, { key, value }: TagCondition): boolean =>
  hasTag(tags, tagKeyOf(key)) && matchesPattern(value, tags[tagKeyOf(key)] ?? "");

/** A tag that is not there differs from every value. */
export const meetsConditions = (conditions: Conditions, tags: Tags): boolean =>
  conditions.equals.every((condition) => equals(tags, condition)) &&
  conditions.like.every((condition) => isLike(tags, condition)) &&
  !conditions.notEquals.some((condition) => equals(tags, condition)) &&
  !conditions.notLike.some((condition) => isLike(tags, condition));

const isNamed = (names: readonly string[], arn: string): boolean =>
  names.some((name) => name === arn || (isWildcard(name) && matchesPattern(name, arn)));

/**
 * A resource matches by name or by one of the tags. A selection without names and tags matches every resource.
 * The resource must also fulfil all conditions and must not be excluded.
 */
export function selects(selection: Selection, { arn, tags }: Selectable): boolean {
  const { resources, notResources, tags: anyOf, conditions } = selection;
  const isMeant =
    (resources.length === 0 && anyOf.length === 0) ||
    isNamed(resources, arn) ||
    anyOf.some((condition) => equals(tags, condition));
  return isMeant && meetsConditions(conditions, tags) && !isNamed(notResources, arn);
}

/** The resources that are named without a wildcard. */
export const namesIn = ({ resources }: Selection): readonly string[] =>
  resources.filter((name) => !isWildcard(name));
/** The exact names of a selection, or undefined if other resources can match too. */
export const findExactNames = ({ resources, tags }: Selection): readonly string[] | undefined =>
  resources.length > 0 && tags.length === 0 && !resources.some(isWildcard) ? resources : undefined;
