/** Batch requests: an invalid entry does not affect the others. */
import type { ErrorKind } from "#kernel/operation";
import { errors } from "../errors.ts";
import type { EventsContext } from "../state.ts";

type Entry<Id extends string> = Record<Id, string> & { errorCode: string; errorMessage: string };

export class EntryErrors<Id extends "messageId" | "requestId"> {
  readonly #member: Id;
  readonly #seen = new Set<string>();
  readonly entries: Entry<Id>[] = [];

  constructor(member: Id) {
    this.#member = member;
  }
  /** Returns false and adds an error for a repeated id. */
  isNew(id: string): boolean {
    if (!this.#seen.has(id)) {
      this.#seen.add(id);
      return true;
    }
    this.add(id, errors.invalidRequest, `The ${this.#member} ${id} is used twice in this request.`);
    return false;
  }
  add(id: string, { code }: ErrorKind, message: string): void {
    this.entries.push({ [this.#member]: id, errorCode: code, errorMessage: message } as Entry<Id>);
  }
}

/** The kernel has checked the first resource. Each other resource is checked once here. */
export async function requireForAll(
  context: EventsContext,
  action: string,
  resources: readonly string[],
): Promise<void> {
  const [first] = resources;
  if (resources.every((resource) => resource === first)) return;
  for (const resource of new Set(resources))
    if (resource !== first) await context.requirePermission(action, resource);
}
