/** Secrets are marked where they are declared, and removed wherever a request is shown. */
import type { TSchema } from "@sinclair/typebox";
import type { Operation } from "./operation.ts";

const MARK = "x-secret";

/** A member that is never shown. A marked body or answer is hidden completely. */
export const secret = <Schema extends TSchema>(schema: Schema): Schema => ({ ...schema, [MARK]: true });

export type SecretParts = {
  /** Names of members, at any depth. */
  readonly members: ReadonlySet<string>;
  readonly wholeBody: boolean;
  /** Statuses whose answers are hidden completely. */
  readonly wholeAnswers: ReadonlySet<number>;
};

const isMarked = (schema: unknown): boolean =>
  typeof schema === "object" && schema !== null && (schema as Record<string, unknown>)[MARK] === true;

function gather(schema: unknown, members: Set<string>, seen: Set<unknown>): void {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return;
  seen.add(schema);
  const { properties } = schema as { properties?: Readonly<Record<string, unknown>> };
  for (const [name, member] of Object.entries(properties ?? {})) if (isMarked(member)) members.add(name);
  for (const part of Object.values(schema)) gather(part, members, seen);
}

const known = new WeakMap<Operation, SecretParts>();

export function secretPartsOf(operation: Operation): SecretParts {
  const kept = known.get(operation);
  if (kept) return kept;
  const { params, query, headers, body, answers } = operation;
  const members = new Set<string>();
  gather([params, query, headers, body, answers], members, new Set());
  const parts: SecretParts = {
    members,
    wholeBody: isMarked(body),
    wholeAnswers: new Set(
      Object.entries(answers).flatMap(([status, schema]) => (isMarked(schema) ? [Number(status)] : [])),
    ),
  };
  known.set(operation, parts);
  return parts;
}
