/** Labels of utterances, checked against the tokens and the existing entities. */
import { errors } from "../errors.ts";
import type { ChildEntity, Entity, Label } from "./content.ts";
import { keyOf } from "./limits.ts";

export type Token = { readonly start: number; readonly end: number };
/** As callers give it; `end` is the last character's place. */
export type GivenLabel = {
  readonly entityName: string;
  readonly startCharIndex: number;
  readonly endCharIndex: number;
  readonly role?: string | undefined;
  readonly children?: readonly GivenLabel[] | undefined;
};

const SEPARATOR = "::";
const same = (a: string, b: string): boolean => keyOf(a) === keyOf(b);

type Labelled = {
  readonly name: string;
  readonly role: string | undefined;
  readonly children: readonly ChildEntity[];
  readonly isComposite: boolean;
};

function labelledBy(name: string, role: string | undefined, entities: readonly Entity[]): Labelled {
  const [first = "", ...below] = name.split(SEPARATOR);
  const entity = entities.find((one) => same(one.name, first));
  if (!entity)
    throw errors.badArgument(`The entity ${name} does not exist in the selected application version.`);
  if (entity.kind === "pattern-any")
    throw errors.badArgument(`The entity ${name} is found by patterns alone and cannot be labelled.`);
  const known = role === undefined ? undefined : entity.roles.find((one) => same(one.name, role));
  if (role !== undefined && !known)
    throw errors.badArgument(`The entity ${entity.name} has no role ${role}.`);
  if (entity.kind === "hierarchical") {
    const child = entity.children.find((one) => same(one.name, below[0] ?? ""));
    if (!child || below.length > 1)
      throw errors.badArgument(
        `Of the entity ${entity.name} a child is labelled: ${entity.name}${SEPARATOR}${entity.children[0]?.name ?? "Child"}.`,
      );
    return {
      name: `${entity.name}${SEPARATOR}${child.name}`,
      role: known?.name,
      children: [],
      isComposite: false,
    };
  }
  if (below.length > 0)
    throw errors.badArgument(`The entity ${name} does not exist in the selected application version.`);
  return {
    name: entity.name,
    role: known?.name,
    children: entity.kind === "learned" ? entity.children : [],
    isComposite: entity.kind === "composite",
  };
}

function checkTokens(
  { startCharIndex: start, endCharIndex: last }: GivenLabel,
  text: string,
  tokens: readonly Token[],
): void {
  if (start < 0 || last < start || last > text.length)
    throw errors.badArgument(`The character indices ${start} and ${last} are not within the utterance.`);
  const end = Math.min(last + 1, text.length);
  if (!tokens.some((token) => token.start === start) || !tokens.some((token) => token.end === end))
    throw errors.badArgument(
      `The character indices ${start},${last} do not correspond to the start and end of a token.`,
    );
}

const contains = (outer: Label, inner: Label): boolean =>
  outer.start <= inner.start && inner.end <= outer.end;
const overlap = (a: Label, b: Label): boolean => a.start < b.end && b.start < a.end;

function checkApart(labels: readonly { readonly label: Label; readonly isComposite: boolean }[]): void {
  for (const [at, one] of labels.entries())
    for (const other of labels.slice(at + 1)) {
      if (!overlap(one.label, other.label)) continue;
      const nests =
        one.isComposite !== other.isComposite &&
        (one.isComposite ? contains(one.label, other.label) : contains(other.label, one.label));
      if (nests || !same(one.label.entity, other.label.entity)) continue;
      throw errors.badArgument(`The labels of ${one.label.entity} and ${other.label.entity} overlap.`);
    }
}

function childLabels(
  given: readonly GivenLabel[],
  parent: Label,
  children: readonly ChildEntity[],
  text: string,
  tokens: readonly Token[],
): readonly Label[] {
  const labels = given.map((one) => {
    const child = children.find(({ name }) => same(name, one.entityName));
    if (!child) throw errors.badArgument(`The entity ${parent.entity} has no child ${one.entityName}.`);
    checkTokens(one, text, tokens);
    const label: Label = {
      start: one.startCharIndex,
      end: Math.min(one.endCharIndex + 1, text.length),
      entity: child.name,
      role: undefined,
      children: [],
    };
    if (!contains(parent, label))
      throw errors.badArgument(`The label of ${child.name} is not within that of ${parent.entity}.`);
    return {
      label: { ...label, children: childLabels(one.children ?? [], label, child.children, text, tokens) },
      isComposite: false,
    };
  });
  checkApart(labels);
  return labels.map(({ label }) => label);
}

/** The learned entities that are labelled, in the order of all entities, with their labels. */
type Parents = readonly { readonly entity: LearnedEntity; readonly labels: readonly GivenLabel[] }[];
type LearnedEntity = Extract<Entity, { kind: "learned" }>;
function parentsIn(given: readonly GivenLabel[], entities: readonly Entity[]): Parents {
  const byName = new Map<string, GivenLabel[]>();
  for (const label of given) {
    const labels = byName.get(keyOf(label.entityName)) ?? [];
    labels.push(label);
    byName.set(keyOf(label.entityName), labels);
  }
  return entities.flatMap((entity) => {
    const labels = byName.get(keyOf(entity.name));
    return entity.kind === "learned" && labels ? [{ entity, labels }] : [];
  });
}
/** The path to a child of this name, if its parent is labelled around it; otherwise the name itself. */
function pathTo(label: GivenLabel, parents: Parents, entities: readonly Entity[]): string {
  const { entityName: name } = label;
  if (name.includes(SEPARATOR) || entities.some((entity) => same(entity.name, name))) return name;
  for (const { entity, labels } of parents) {
    const below = pathsBelow(entity.children).get(keyOf(name));
    if (below && labels.some((one) => holds(one, label))) return [entity.name, ...below].join(SEPARATOR);
  }
  return name;
}
const holds = (outer: GivenLabel, inner: GivenLabel): boolean =>
  outer.startCharIndex <= inner.startCharIndex && inner.endCharIndex <= outer.endCharIndex;
type Paths = Map<string, readonly string[]>;
/** Kept, because imports label the same entities very often. */
const knownPaths = new WeakMap<readonly ChildEntity[], Paths>();
function pathsBelow(children: readonly ChildEntity[]): Paths {
  const known = knownPaths.get(children);
  if (known) return known;
  const paths: Paths = new Map();
  addPaths(paths, children, []);
  knownPaths.set(children, paths);
  return paths;
}
function addPaths(paths: Paths, children: readonly ChildEntity[], above: readonly string[]): void {
  for (const child of children) {
    const path = [...above, child.name];
    if (!paths.has(keyOf(child.name))) paths.set(keyOf(child.name), path);
    addPaths(paths, child.children, path);
  }
}

/** In the flat format the names lead to a child (`Order::Topping`): it goes below the label that holds it. */
function nestedOf(flat: readonly GivenLabel[], entities: readonly Entity[]): readonly GivenLabel[] {
  const parents = parentsIn(flat, entities);
  const given = flat.map((label) => ({ ...label, entityName: pathTo(label, parents, entities) }));
  const isChild = ({ entityName }: GivenLabel): boolean => {
    const [first = "", ...below] = entityName.split(SEPARATOR);
    return below.length > 0 && entities.some(({ name, kind }) => kind === "learned" && same(name, first));
  };
  if (!given.some(isChild)) return given;
  const tops = given
    .filter((label) => !isChild(label))
    .map((label) => ({ ...label, children: [...(label.children ?? [])] }));
  for (const label of given.filter(isChild).sort((a, b) => a.entityName.length - b.entityName.length)) {
    const names = label.entityName.split(SEPARATOR);
    let place: { children?: GivenLabel[] } | undefined = { children: tops };
    for (const name of names.slice(0, -1))
      place = place?.children?.find(
        (one) =>
          same(one.entityName, name) &&
          one.startCharIndex <= label.startCharIndex &&
          label.endCharIndex <= one.endCharIndex,
      ) as { children?: GivenLabel[] } | undefined;
    if (!place) throw errors.badArgument(`The label of ${label.entityName} is not within one of its parent.`);
    const child: GivenLabel = { ...label, entityName: names.at(-1) ?? "", children: [] };
    place.children = [...(place.children ?? []), child];
  }
  return tops;
}

/** Throws if a label is out of range, crosses another label, or names an unknown entity. */
export function checkedLabels(
  given: readonly GivenLabel[],
  text: string,
  tokens: readonly Token[],
  entities: readonly Entity[],
): readonly Label[] {
  const labels = nestedOf(given, entities).map((one) => {
    const { name, role, children, isComposite } = labelledBy(one.entityName, one.role, entities);
    checkTokens(one, text, tokens);
    const label: Label = {
      start: one.startCharIndex,
      end: Math.min(one.endCharIndex + 1, text.length),
      entity: name,
      role,
      children: [],
    };
    return {
      label: { ...label, children: childLabels(one.children ?? [], label, children, text, tokens) },
      isComposite,
    };
  });
  checkApart(labels);
  return labels.map(({ label }) => label).sort((a, b) => a.start - b.start || b.end - a.end);
}

/** A found or labelled span in a flat list: children beside their parents, under their full path. */
export type Spanned = {
  readonly entity: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly Spanned[];
};
export const flattened = <Kind extends Spanned>(spans: readonly Kind[], before = ""): readonly Kind[] =>
  spans.flatMap((span) => {
    const entity = `${before}${span.entity}`;
    const children = flattened(span.children as readonly Kind[], `${entity}${SEPARATOR}`);
    return [{ ...span, entity, children: [] }, ...children];
  });

/** Which tokens a part of the text covers. */
export function tokensOf(
  { start, end }: { readonly start: number; readonly end: number },
  tokens: readonly Token[],
): { readonly startTokenIndex: number; readonly endTokenIndex: number } {
  const first = tokens.findIndex((token) => token.end > start);
  let last = first;
  while (last + 1 < tokens.length && (tokens[last + 1]?.start ?? end) < end) last += 1;
  return { startTokenIndex: Math.max(first, 0), endTokenIndex: Math.max(last, 0) };
}
