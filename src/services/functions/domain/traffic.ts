/** How the requests of a function are divided between its revisions. */
import { errors } from "../errors.ts";

/** Without a revision: the newest that came up, whichever it is at the time of a request. */
export type Target = { readonly revision?: string; readonly percent: number; readonly tag?: string };
export type Traffic = readonly Target[];

const WHOLE_PERCENT = 100;
/** Of one function. The newest revision and the one that is coming up are kept besides these. */
export const TARGETS_MAX = 8;
/** Fewer, because a deployment that takes all requests adds a target and keeps the tags. */
export const TAGS_MAX = TARGETS_MAX - 1;
export const REVISIONS_MAX = TARGETS_MAX + 2;
const TAG = /^[a-z](?:[a-z0-9-]{0,44}[a-z0-9])?$/;
/** Between tag and name in an address, so no tag contains it. */
const TAG_END = "---";
const allOnLatest: Traffic = [{ percent: WHOLE_PERCENT }];

/** The part of a function that decides where its requests go. */
type Routed = { readonly traffic: Traffic | undefined; readonly revision: string | undefined };
export const trafficOf = ({ traffic }: Pick<Routed, "traffic">): Traffic => traffic ?? allOnLatest;

const percentOf = (targets: Traffic): number => targets.reduce((sum, { percent }) => sum + percent, 0);
const latestPercentOf = (targets: Traffic): number =>
  percentOf(targets.filter(({ revision }) => revision === undefined));
/** Whether later revisions get all requests too. */
export const followsLatest = (traffic: Traffic): boolean => latestPercentOf(traffic) === WHOLE_PERCENT;
/** The percentage of each revision that gets requests without a tag. */
export function sharesOf(one: Routed): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const { revision = one.revision ?? "", percent } of trafficOf(one))
    if (percent > 0) shares.set(revision, (shares.get(revision) ?? 0) + percent);
  return shares;
}
export const isAllOnNewest = (one: Routed): boolean =>
  sharesOf(one).get(one.revision ?? "") === WHOLE_PERCENT;
/** The revision that gets most requests; of equal ones, the one named first. */
export const mainRevisionOf = (one: Routed): string | undefined =>
  [...sharesOf(one)].sort(([, left], [, right]) => right - left)[0]?.[0] || undefined;
/** Revisions that can be called. */
export const servedRevisionsOf = (one: Routed): ReadonlySet<string> =>
  new Set(
    trafficOf(one)
      .filter(({ percent, tag }) => percent > 0 || tag !== undefined)
      .map(({ revision }) => revision ?? one.revision ?? ""),
  );
export function findTaggedRevision(one: Routed, tag: string): string | undefined {
  const target = trafficOf(one).find((each) => each.tag === tag);
  return target && (target.revision ?? one.revision);
}

export const taggedSlug = (tag: string, slug: string): string => `${tag}${TAG_END}${slug}`;
/** The tag and the name in an address. The name may contain the separator, a tag may not. */
export function splitTagged(target: string): { readonly tag: string; readonly slug: string } | undefined {
  const end = target.indexOf(TAG_END);
  return end < 1 ? undefined : { tag: target.slice(0, end), slug: target.slice(end + TAG_END.length) };
}

/** Refuses what is no complete division among these revisions. */
export function checkTraffic(targets: Traffic, revisions: ReadonlySet<string>): void {
  if (targets.length > TARGETS_MAX)
    throw errors.invalidArgument(`traffic has ${TARGETS_MAX} targets at the most.`);
  if (percentOf(targets) !== WHOLE_PERCENT)
    throw errors.invalidArgument(`The percentages of traffic make ${percentOf(targets)}, not 100.`);
  const tags = targets.flatMap(({ tag }) => tag ?? []);
  if (tags.length > TAGS_MAX) throw errors.invalidArgument(`traffic has ${TAGS_MAX} tags at the most.`);
  for (const tag of tags)
    if (!TAG.test(tag) || tag.includes(TAG_END))
      throw errors.invalidArgument(
        `"${tag}" is not a tag: 1 to 46 letters a to z, digits and single hyphens, a letter first.`,
      );
  if (new Set(tags).size < tags.length) throw errors.invalidArgument("A tag names one revision only.");
  for (const { revision } of targets)
    if (revision !== undefined && !revisions.has(revision))
      throw errors.invalidArgument(`There is no revision ${revision}; the list of revisions has those kept.`);
}

/**
 * After the next revision has come up. If it takes all requests, tags stay where they were. Otherwise everything
 * stays, and only targets without a revision get the new one.
 */
export function trafficAfterDeployment(one: Routed, takesAll: boolean): Traffic | undefined {
  const targets = trafficOf(one);
  const tagged = targets.filter(({ tag }) => tag !== undefined);
  if (takesAll)
    return tagged.length === 0
      ? undefined
      : [...allOnLatest, ...tagged.map((target) => ({ ...target, percent: 0 }))];
  const { revision } = one;
  if (revision === undefined || !followsLatest(targets)) return one.traffic;
  return targets.map((target) => ({ revision, ...target }));
}

/** The revisions to keep of all that came up: those with requests or a tag, the newest, and the last before it. */
export function keptRevisions(one: Routed, newestFirst: readonly string[]): readonly string[] {
  const needed = new Set([
    ...trafficOf(one).flatMap(({ revision }) => revision ?? []),
    ...(one.revision === undefined ? [] : [one.revision]),
  ]);
  const others = newestFirst.filter((revision) => !needed.has(revision));
  return [...needed, ...others].slice(0, REVISIONS_MAX);
}
