/** Policy documents, read into what the kernel's policies can say. What they cannot say is refused: a restriction is never passed over. */
import { errors } from "../errors.ts";

/** As the kernel's policies have it. */
export type Policy = {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly string[];
  readonly resources: readonly string[];
};

const VERSIONS: ReadonlySet<unknown> = new Set(["2012-10-17", "2008-10-17", undefined]);
const STATEMENTS_MAX = 100;
const NAMES_MAX = 200;
const NAME_LENGTH_MAX = 2048;
const DOCUMENT_NAMES: ReadonlySet<string> = new Set(["Version", "Id", "Statement"]);
const STATEMENT_NAMES: ReadonlySet<string> = new Set(["Sid", "Effect", "Action", "Resource"]);
const ACTION = /^(?:\*|[A-Za-z0-9-]+:[A-Za-z0-9*?]+|\*:[A-Za-z0-9*?]+)$/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function refuseOthers(place: string, value: object, known: ReadonlySet<string>): void {
  const other = Object.keys(value).find((name) => !known.has(name));
  if (other !== undefined)
    throw errors.malformedPolicy(
      `${place} has "${other.slice(0, 100)}", which is not understood here: use ${[...known].join(", ")}.`,
    );
}

function namesOf(place: string, value: unknown): readonly string[] {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isFine =
    names.length > 0 &&
    names.length <= NAMES_MAX &&
    names.every((name) => typeof name === "string" && name !== "" && name.length <= NAME_LENGTH_MAX);
  if (!isFine) throw errors.malformedPolicy(`${place} must be a text, or a list of 1 to ${NAMES_MAX} texts.`);
  return names as readonly string[];
}

function statementOf(value: unknown, position: number): Policy {
  const place = `Statement ${position + 1}`;
  if (!isObject(value)) throw errors.malformedPolicy(`${place} must be an object.`);
  refuseOthers(place, value, STATEMENT_NAMES);
  const { Effect: effect, Action: action, Resource: resource } = value;
  if (effect !== "Allow" && effect !== "Deny")
    throw errors.malformedPolicy(`The Effect of ${place} must be Allow or Deny.`);
  const actions = namesOf(`The Action of ${place}`, action);
  const odd = actions.find((one) => !ACTION.test(one));
  if (odd !== undefined)
    throw errors.malformedPolicy(
      `The Action "${odd.slice(0, 100)}" of ${place} must be of the form service:Action.`,
    );
  return { effect, actions, resources: namesOf(`The Resource of ${place}`, resource) };
}

/** Of a document that was parsed already. */
export function policiesOf(document: unknown): readonly Policy[] {
  if (!isObject(document)) throw errors.malformedPolicy("A policy must be a JSON object.");
  refuseOthers("The policy", document, DOCUMENT_NAMES);
  const { Version: version, Statement: statement } = document;
  if (!VERSIONS.has(version)) throw errors.malformedPolicy("The Version of a policy must be 2012-10-17.");
  const statements: readonly unknown[] = Array.isArray(statement) ? statement : [statement];
  if (statements.length === 0 || statements.length > STATEMENTS_MAX)
    throw errors.malformedPolicy(`A policy must have 1 to ${STATEMENTS_MAX} statements.`);
  return statements.map(statementOf);
}

export function parsePolicy(text: string): readonly Policy[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw errors.malformedPolicy("The policy is not in valid JSON format.");
  }
  return policiesOf(document);
}
