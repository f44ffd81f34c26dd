/** Tables of parameters and body members, in OpenAPI terms. */
import { html, type Markup } from "#kernel/html";

export type Schema = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly [limit: string]: unknown;
};
export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly description?: string;
};

/** Code in backticks and bold text in double asterisks. The rest is plain text. Code may be a link. */
const MARKS = /`([^`]+)`|\*\*([^*]+)\*\*/g;
export function proseOf(text: string, hrefOf?: (code: string) => string | undefined): Markup {
  const parts: (Markup | string)[] = [];
  let from = 0;
  for (const found of text.matchAll(MARKS)) {
    const [whole, code, strong] = found;
    parts.push(text.slice(from, found.index));
    const href = code === undefined ? undefined : hrefOf?.(code);
    if (href !== undefined) parts.push(html`<a href="${href}"><code>${code ?? ""}</code></a>`);
    else if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else parts.push(html`<strong>${strong ?? ""}</strong>`);
    from = found.index + whole.length;
  }
  return html`${[...parts, text.slice(from)]}`;
}

const choicesOf = ({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] => [...anyOf, ...oneOf];
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const choices = choicesOf(schema);
  if (choices.length > 0) return [...new Set(choices.map(typeOf))].join(" | ");
  if (schema.type === "array" && schema.items) return `${typeOf(schema.items)}[]`;
  return [schema.type ?? "any"].flat().join(" | ");
}
const LIMITS = [
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "pattern",
  "format",
  "default",
] as const;
const limitsOf = (schema: Schema): string =>
  LIMITS.filter((name) => schema[name] !== undefined)
    .map((name) => `${name} ${JSON.stringify(schema[name])}`)
    .join(", ");

const DEPTH_MAX = 4;
type Row = {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly description: string | undefined;
};
const descriptionIn = (schema: Schema): string | undefined =>
  schema.description ?? choicesOf(schema).find(({ description }) => description)?.description;

/** Members at all depths by full name. Members of several alternatives appear once. */
export function rowsOf(schema: Schema, place = "", depth = 0): readonly Row[] {
  const required = new Set(schema.required ?? []);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]): Row[] => [
    {
      name: `${place}${name}`,
      schema: member,
      isRequired: required.has(name),
      description: descriptionIn(member),
    },
    ...(depth < DEPTH_MAX ? rowsOf(member, `${place}${name}.`, depth + 1) : []),
  ]);
  const parts = [...choicesOf(schema), ...(schema.allOf ?? [])].flatMap((part) => rowsOf(part, place, depth));
  const items = schema.items ? rowsOf(schema.items, `${place.replace(/\.$/, "")}[].`, depth) : [];
  const seen = new Set<string>();
  return [...own, ...parts, ...items].filter(({ name }) => !seen.has(name) && seen.add(name));
}

export function rowsTable(title: string, rows: readonly Row[]): Markup | undefined {
  if (rows.length === 0) return undefined;
  const row = ({ name, schema, isRequired, description }: Row) =>
    html`<tr><th scope="row"><code>${name}</code>${isRequired ? html` <span class="required">required</span>` : false}</th>
<td><code>${typeOf(schema)}</code> <small>${limitsOf(schema)}</small>${description !== undefined && html`<small>${proseOf(description)}</small>`}</td></tr>`;
  return html`<h4>${title}</h4><table class="members stacking"><tbody>${rows.map(row)}</tbody></table>`;
}
export const parameterRows = (parameters: readonly Parameter[], place: string): readonly Row[] =>
  parameters
    .filter((one) => one.in === place)
    .map(({ name, schema, required, description }) => ({
      name,
      schema,
      isRequired: required,
      description: description ?? descriptionIn(schema),
    }));
