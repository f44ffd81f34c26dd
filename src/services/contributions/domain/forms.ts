/** Forms: typed fields, and validation of responses. */
import { isoOf, parseInstant } from "#kernel/clock";

export const FIELD_TYPES = [
  "text",
  "textarea",
  "email",
  "telephone",
  "number",
  "date",
  "url",
  "checkbox",
  "select",
  "radio",
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];
export type Field = {
  readonly name: string;
  readonly label?: string;
  readonly description?: string;
  readonly type: FieldType;
  readonly options?: readonly string[];
  readonly required?: boolean;
  readonly public?: boolean;
};
export type Answer = Required<Pick<Field, "name" | "label" | "type">> & { readonly value: string };
type Responses = Readonly<Record<string, string>>;
/** A field may have the name of an inherited property. */
const valueIn = (responses: Responses, name: string): string =>
  Object.hasOwn(responses, name) ? (responses[name] ?? "") : "";
/** The public answers of a response, in the order of its form. */
export const publicAnswersOf = (fields: readonly Field[], responses: Responses): Answer[] =>
  fields.flatMap((field) => {
    const { name, label = name, type } = field;
    const value = valueIn(responses, name);
    return field.public === true && value !== "" ? [{ name, label, type, value }] : [];
  });

export type Problem = { readonly target: string; readonly message: string };

const FIELD_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const TELEPHONE = /^\+?[0-9 ()./-]{3,40}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const CHOICES: ReadonlySet<FieldType> = new Set(["select", "radio"]);

/** Problems of the fields themselves. */
export function problemsOfFields(fields: readonly Field[]): Problem[] {
  const problems: Problem[] = [];
  const names = new Set<string>();
  for (const [at, { name, type, options }] of fields.entries()) {
    const target = `fields[${at}]`;
    if (!FIELD_NAME.test(name))
      problems.push({ target, message: "A field's name has letters, digits, dots, dashes and underscores." });
    if (names.has(name)) problems.push({ target, message: `Two fields are called ${name}.` });
    names.add(name);
    if (CHOICES.has(type) && (options === undefined || options.length === 0))
      problems.push({ target, message: `The field ${name} needs options to choose from.` });
  }
  return problems;
}

const isNumber = (value: string): boolean => value.trim() !== "" && Number.isFinite(Number(value));
function isDate(value: string): boolean {
  if (!DATE.test(value)) return false;
  const ms = parseInstant(`${value}T00:00:00Z`);
  return ms !== undefined && isoOf(ms).startsWith(value);
}
function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
const checks: Readonly<Record<FieldType, (value: string, field: Field) => string | undefined>> = {
  text: () => undefined,
  textarea: () => undefined,
  email: (value) => (EMAIL.test(value) ? undefined : "must be an e-mail address"),
  telephone: (value) => (TELEPHONE.test(value) ? undefined : "must be a telephone number"),
  number: (value) => (isNumber(value) ? undefined : "must be a number"),
  date: (value) => (isDate(value) ? undefined : "must be a date such as 2030-05-01"),
  url: (value) => (isWebAddress(value) ? undefined : "must be a web address"),
  checkbox: (value) => (value === "true" || value === "false" ? undefined : "must be true or false"),
  select: (value, { options = [] }) => (options.includes(value) ? undefined : "must be one of its options"),
  radio: (value, { options = [] }) => (options.includes(value) ? undefined : "must be one of its options"),
};

/** Problems of a response. A required checkbox must be true. */
export function problemsOfResponse(fields: readonly Field[], responses: Responses): Problem[] {
  const problems: Problem[] = [];
  const known = new Set(fields.map(({ name }) => name));
  for (const name of Object.keys(responses))
    if (!known.has(name))
      problems.push({ target: name.slice(0, 64), message: "The form has no such field." });
  for (const field of fields) {
    const value = valueIn(responses, field.name);
    const isMissing = value === "" || (field.type === "checkbox" && value === "false");
    if (field.required && isMissing)
      problems.push({ target: field.name, message: "This field is required." });
    if (value === "") continue;
    const wrong = checks[field.type](value, field);
    if (wrong !== undefined) problems.push({ target: field.name, message: `The value ${wrong}.` });
  }
  return problems;
}
