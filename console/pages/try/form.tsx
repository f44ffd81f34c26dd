/** The form of one operation: its parameters, its body as fields or as text, and the button that sends it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import type { Answers } from "../../generated/operations.ts";
import { useWork } from "../../loading.ts";
import { Button, Method, WorkNote } from "../../parts/basics.tsx";
import { AreaField, Check, SelectField, TextField } from "../../parts/fields.tsx";
import { Prose } from "../../parts/prose.tsx";
import { Segments } from "../../parts/segments.tsx";
import { asType, beginningOf, bodyTypesOf, type Filled, keyOf, textOf } from "./beginning.ts";
import type { Callable, Parameter, Schema, ServiceDocument } from "./described.ts";
import { useJsonText } from "./json-text.ts";
import { FileField, Members } from "./schema-fields.tsx";
import { headersOf, pathOf, sentBody } from "./sent.ts";

export type Tried = Answers["medley.try"];

const PLACES = [
  ["path", "Path"],
  ["query", "Query"],
  ["header", "Headers"],
] as const;

const ParameterField = ({
  parameter,
  value,
  onInput,
}: {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onInput: (value: string) => void;
}): JSX.Element => (
  <TextField
    label={parameter.required ? `${parameter.name} (required)` : parameter.name}
    hint={parameter.description}
    placeholder={textOf(parameter.example)}
    required={parameter.required ?? false}
    value={value}
    onInput={onInput}
  />
);

function JsonText({
  value,
  onInput,
}: {
  readonly value: unknown;
  readonly onInput: (value: unknown) => void;
}): JSX.Element {
  const { text, isBroken, read } = useJsonText(value, onInput);
  return (
    <AreaField
      label="Body"
      hint={isBroken ? "This is no JSON yet: what was last is sent." : undefined}
      rows={Math.min(24, Math.max(6, text.split("\n").length + 1))}
      value={text}
      onInput={read}
    />
  );
}

const WAYS = [
  ["fields", "Form"],
  ["text", "JSON"],
] as const;

function BodyFields({
  filled,
  schema,
  onInput,
  resolve,
}: {
  readonly filled: Filled;
  readonly schema: Schema;
  readonly onInput: (body: unknown) => void;
  readonly resolve: ServiceDocument["resolve"];
}): JSX.Element {
  const hasFields = schema.properties !== undefined;
  const [way, setWay] = useState<"fields" | "text">(hasFields ? "fields" : "text");
  if (filled.kind === "bytes")
    return (
      <>
        <FileField
          name="File"
          isNeeded={false}
          hint={`Sent as ${filled.type}; or write it below.`}
          onInput={(file) => onInput(file ?? "")}
        />
        {!(filled.body instanceof File) && (
          <AreaField label="Text" value={textOf(filled.body)} onInput={onInput} />
        )}
      </>
    );
  const members = (filled.body ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <>
      {filled.kind === "json" && hasFields && (
        <Segments label="How to write the body" choices={WAYS} value={way} onInput={setWay} />
      )}
      {way === "fields" && hasFields ? (
        <Members schema={schema} value={members} onInput={onInput} resolve={resolve} depth={0} />
      ) : (
        <JsonText value={filled.body} onInput={onInput} />
      )}
    </>
  );
}

export function OperationForm({
  callable,
  resolve,
  onAnswer,
}: {
  readonly callable: Callable;
  readonly resolve: ServiceDocument["resolve"];
  readonly onAnswer: (tried: Tried) => void;
}): JSX.Element {
  const { method, path, operation } = callable;
  const [filled, setFilled] = useState<Filled>(() => beginningOf(callable, resolve));
  const [isAnonymous, setAnonymous] = useState(false);
  const work = useWork(async () => {
    const { headers, ...body } = await sentBody(filled);
    const sent = {
      method,
      path: pathOf(callable, filled),
      headers: { ...headersOf(callable, filled), ...headers },
      credential: isAnonymous ? ("none" as const) : ("account" as const),
      ...body,
    };
    onAnswer(await call("medley.try", { body: sent }));
  });
  const parameters = operation.parameters ?? [];
  const types = bodyTypesOf(callable);
  const schema = resolve(operation.requestBody?.content[filled.type]?.schema ?? {});
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void work.run();
      }}
    >
      <div>
        <h2>{operation.summary}</h2>
        <p class="try-address">
          <Method method={method} /> <code>{pathOf(callable, filled) || path}</code>
        </p>
        {operation.description && <Prose text={operation.description} />}
      </div>
      {PLACES.map(([place, title]) => {
        const found = parameters.filter((one) => one.in === place);
        return (
          found.length > 0 && (
            <section class="message" key={place}>
              <h3>{title}</h3>
              <div class="fields two">
                {found.map((parameter) => (
                  <ParameterField
                    key={keyOf(parameter)}
                    parameter={parameter}
                    value={filled.parameters[keyOf(parameter)] ?? ""}
                    onInput={(value) =>
                      setFilled({
                        ...filled,
                        parameters: { ...filled.parameters, [keyOf(parameter)]: value },
                      })
                    }
                  />
                ))}
              </div>
            </section>
          )
        );
      })}
      {filled.kind !== "none" && (
        <section class="message">
          <h3>Body</h3>
          {types.length > 1 && (
            <SelectField
              label="Sent as"
              value={filled.type}
              onInput={(type) => setFilled(asType(callable, resolve, filled, type))}
              choices={types.map((type) => [type, type] as const)}
            />
          )}
          <BodyFields
            key={filled.type}
            filled={filled}
            schema={schema}
            onInput={(body) => setFilled({ ...filled, body })}
            resolve={resolve}
          />
        </section>
      )}
      <WorkNote work={work} />
      <div class="row">
        <Button type="submit" kind="main" icon="try" isBusy={work.isBusy}>
          Send
        </Button>
        <Check label="Without a credential" value={isAnonymous} onInput={setAnonymous} />
        {operation["x-permission"] && (
          <small>
            Needs <code>{operation["x-permission"]}</code>
          </small>
        )}
      </div>
    </form>
  );
}
