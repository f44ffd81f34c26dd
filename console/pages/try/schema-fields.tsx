/** A form made from a schema: one field for each member, within each other as the members are. */
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { exampleOf, textOf } from "./beginning.ts";
import type { Schema, ServiceDocument } from "./described.ts";
import { useJsonText } from "./json-text.ts";

type Resolve = ServiceDocument["resolve"];
type FieldProps = {
  readonly name: string;
  readonly schema: Schema;
  readonly isNeeded: boolean;
  readonly value: unknown;
  readonly onInput: (value: unknown) => void;
  readonly resolve: Resolve;
  readonly depth: number;
};

const DEPTH_MAX = 4;
const choicesOf = ({ enum: given, anyOf }: Schema): readonly unknown[] | undefined => {
  if (given) return given;
  const constants = anyOf?.map((one) => one.const);
  return constants?.every((one) => one !== undefined) ? constants : undefined;
};
const isBinary = ({ format, contentEncoding }: Schema): boolean =>
  format === "binary" || contentEncoding === "binary";

/** Anything that has no field of its own is written as JSON; what is no JSON yet is kept as it is typed. */
function JsonField({ name, isNeeded, value, onInput, schema }: FieldProps): JSX.Element {
  const id = useId();
  const { text, isBroken, read } = useJsonText(value, onInput);
  return (
    <div class="field">
      <label for={id}>
        <span class="mono">{name}</span> {isNeeded && <span class="required">required</span>}
      </label>
      <textarea
        id={id}
        class="mono"
        rows={Math.min(12, Math.max(2, text.split("\n").length))}
        spellcheck={false}
        value={text}
        aria-invalid={isBroken}
        onInput={(event) => read(event.currentTarget.value)}
      />
      <p class={isBroken ? "problem" : "hint"}>
        {isBroken ? "This is no JSON yet." : (schema.description ?? "JSON")}
      </p>
    </div>
  );
}

export function FileField({
  name,
  isNeeded,
  hint,
  onInput,
}: Pick<FieldProps, "name" | "isNeeded"> & {
  readonly hint: string | undefined;
  readonly onInput: (file: File | undefined) => void;
}): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        <span class="mono">{name}</span> {isNeeded && <span class="required">required</span>}
      </label>
      <input id={id} type="file" onChange={(event) => onInput(event.currentTarget.files?.[0])} />
      {hint && <p class="hint">{hint}</p>}
    </div>
  );
}

function ObjectField(props: FieldProps): JSX.Element {
  const { name, schema, isNeeded, value, onInput, resolve, depth } = props;
  const isGiven = value !== undefined;
  return (
    <fieldset class="nested">
      <legend>
        <span class="mono">{name}</span> {isNeeded && <span class="required">required</span>}
        {!isNeeded && (
          <button
            type="button"
            class="link-button small"
            onClick={() => onInput(isGiven ? undefined : exampleOf(schema, resolve))}
          >
            {isGiven ? "leave out" : "fill in"}
          </button>
        )}
      </legend>
      {schema.description && <p class="hint">{schema.description}</p>}
      {isGiven && (
        <Members
          schema={schema}
          value={value as Readonly<Record<string, unknown>>}
          onInput={onInput}
          resolve={resolve}
          depth={depth + 1}
        />
      )}
    </fieldset>
  );
}

const numberOf = (text: string): unknown =>
  text === "" || Number.isNaN(Number(text)) ? text || undefined : Number(text);

export function SchemaField(props: FieldProps): JSX.Element {
  const { name, isNeeded, value, onInput, resolve, depth } = props;
  const schema = resolve(props.schema);
  const label = isNeeded ? `${name} (required)` : name;
  const common = { label, hint: schema.description };
  const choices = choicesOf(schema) ?? (schema.type === "boolean" ? [true, false] : undefined);
  if (choices)
    return (
      <SelectField
        {...common}
        value={textOf(value)}
        onInput={(text) => onInput(choices.find((one) => textOf(one) === text))}
        choices={[["", "left out"], ...choices.map((one) => [textOf(one), textOf(one)] as const)]}
      />
    );
  if (isBinary(schema))
    return <FileField name={name} isNeeded={isNeeded} hint={schema.description} onInput={onInput} />;
  if (schema.properties && depth < DEPTH_MAX && (value === undefined || typeof value === "object"))
    return <ObjectField {...props} schema={schema} />;
  if (schema.type === "string" || schema.type === "integer" || schema.type === "number")
    return (
      <TextField
        {...common}
        placeholder={textOf(schema.examples?.[0])}
        value={textOf(value)}
        onInput={(text) => onInput(schema.type === "string" ? text || undefined : numberOf(text))}
      />
    );
  return <JsonField {...props} schema={schema} />;
}

export function Members({
  schema,
  value,
  onInput,
  resolve,
  depth,
}: {
  readonly schema: Schema;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onInput: (value: unknown) => void;
  readonly resolve: Resolve;
  readonly depth: number;
}): JSX.Element {
  const needed = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties ?? {});
  const order = [
    ...members.filter(([name]) => needed.has(name)),
    ...members.filter(([name]) => !needed.has(name)),
  ];
  return (
    <div class="fields two">
      {order.map(([name, member]) => (
        <SchemaField
          key={name}
          name={name}
          schema={member}
          isNeeded={needed.has(name)}
          value={value[name]}
          onInput={(next) => onInput({ ...value, [name]: next })}
          resolve={resolve}
          depth={depth}
        />
      ))}
    </div>
  );
}
