/**
 * The stored body of a record, by its kind. Each kind has a schema, which is checked on write, and a version.
 * Older versions are upgraded on read. The TypeScript type derives from the schema.
 */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Shape } from "#kernel/shape";

type Members = Readonly<Record<string, unknown>>;
/** Converts a body of one version into the next version. */
type Upgrade = (kept: Members) => Members;
/** A record as far as this file reads it. */
type Readable = { readonly kind: string; readonly body: string };
declare const CHECKED: unique symbol;
/** The JSON text of a body that fits its kind. Only `keptText` makes one, so nothing else can be stored. */
export type KeptText = string & { readonly [CHECKED]: true };
/** Members and lists are read only. */
export type Unchanging<T> = {
  readonly [Member in keyof T]: T[Member] extends readonly (infer One)[] ? readonly One[] : T[Member];
};
export type RecordKind<S extends TSchema = TSchema> = {
  readonly schema: S;
  readonly names: readonly string[];
  read(body: string): Unchanging<Static<S>>;
  write(body: object): KeptText;
};
export type KeptOf<Kind extends RecordKind> = Unchanging<Static<Kind["schema"]>>;

/** Bodies of the first version do not name it. */
const VERSION = "$version";
const declared = new Map<string, RecordKind>();

/** `upgrades`: one for each version that was released before the present one. */
export function recordKind<S extends TSchema>(
  names: readonly string[],
  schema: S,
  upgrades: readonly Upgrade[] = [],
): RecordKind<S> {
  const shape = new Shape(schema);
  const version = upgrades.length + 1;
  const kind: RecordKind<S> = {
    schema,
    names,
    read(body) {
      const { [VERSION]: written = 1, ...kept } = JSON.parse(body);
      return upgrades
        .slice(written - 1)
        .reduce<Members>((older, upgrade) => upgrade(older), kept) as Unchanging<Static<S>>;
    },
    write(body) {
      if (!shape.fits(body)) {
        const [problem] = shape.problemsOf(body);
        throw new Error(`what is kept of ${names[0]} does not fit: ${problem?.path} ${problem?.says}`);
      }
      return JSON.stringify(version === 1 ? body : { ...body, [VERSION]: version }) as KeptText;
    },
  };
  for (const name of names) declared.set(name, kind);
  return kind;
}

/** Members that may be absent or undefined: JSON does not distinguish the two. */
type Details<T> = { readonly [Member in keyof T]: T[Member] | undefined };
export type DetailsOf<Column extends { readonly schema: TSchema }> = Details<
  Unchanging<Static<Column["schema"]>>
>;
/**
 * A JSON column of another table than that of records. It is checked on write and typed on read. Members that
 * the schema does not name stay as they are.
 */
export function detailsColumn<S extends TSchema>(table: string, schema: S) {
  const shape = new Shape(schema);
  return {
    schema,
    read: (details: KeptText): Unchanging<Static<S>> => JSON.parse(details),
    write(details: Details<Unchanging<Static<S>>>): KeptText {
      if (shape.fits(details)) return JSON.stringify(details) as KeptText;
      const [problem] = shape.problemsOf(details);
      throw new Error(`the details of a ${table} do not fit: ${problem?.path} ${problem?.says}`);
    },
  };
}

/** Kinds whose records have nothing but their number, owner, status and times. */
export const emptyKind = (...names: readonly string[]) =>
  recordKind(names, Type.Object({}, { additionalProperties: false }));

export function getKind(name: string): RecordKind {
  const kind = declared.get(name);
  if (!kind) throw new Error(`the kind ${name} is not declared`);
  return kind;
}
/** Of all records that can be stored. */
export const kindNames = (): readonly string[] => [...declared.keys()];
/** A body that does not match its schema is a bug, so it is refused. So is a kind that is not declared. */
export const keptText = (kind: string, body: object): KeptText => getKind(kind).write(body);

export function keptIn<S extends TSchema>(
  kind: RecordKind<S>,
  { kind: name, body }: Readable,
): Unchanging<Static<S>> {
  if (!kind.names.includes(name)) throw new Error(`a ${name} is read as a ${kind.names[0]}`);
  return kind.read(body);
}
/** The body of a record of any kind, for code that changes it without knowing its members. */
export const keptBody = ({ kind, body }: Readable): Members => getKind(kind).read(body) as Members;
