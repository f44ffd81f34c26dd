/** Rules that make requests fail or wait, made by a form, with a live count of what they struck. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import type { Answers, Inputs } from "../../generated/operations.ts";
import { useAnswer, useWork } from "../../loading.ts";
import { Button, Empty, Page, Section, Shown, Tag, WorkNote } from "../../parts/basics.tsx";
import { TextField } from "../../parts/fields.tsx";
import { ServiceField } from "../../parts/service-field.tsx";
import { counted } from "../../texts.ts";
import { useDocument } from "../try/document.ts";

type Rule = Answers["medley.faults.list"]["rules"][number];
type NewRule = Inputs["medley.faults.replace"]["body"]["rules"][number];

/** The server takes the rules as a whole; those that were there keep their names, and with them their counts. */
const replace = (rules: readonly NewRule[]) => call("medley.faults.replace", { body: { rules } });
const asGiven = ({ struck: _struck, ...rule }: Rule): NewRule => rule;

const whereOf = ({ service, operation, account }: Rule["match"]): string =>
  [operation ?? (service ? `all of ${service}` : "every request"), account && `of account ${account}`]
    .filter(Boolean)
    .join(" ");
const whatOf = ({ latencyMs, status, error, message, rate, count }: Rule): string =>
  [
    latencyMs !== undefined && `waits ${latencyMs} ms`,
    (status !== undefined || error !== undefined) &&
      `fails with ${[status, error].filter(Boolean).join(" ")}`,
    message !== undefined && `says “${message}”`,
    rate !== undefined && `${Math.round(rate * 100)} % of the time`,
    count !== undefined && `${counted(count, "time")} at most`,
  ]
    .filter(Boolean)
    .join(", ");

const EMPTY = {
  service: "",
  operation: "",
  account: "",
  latencyMs: "",
  status: "503",
  error: "",
  message: "",
  rate: "",
  count: "",
};
type Form = typeof EMPTY;
/** What is only written down; service and operation are chosen. */
const FIELDS = [
  { name: "account", label: "Account", placeholder: "every one" },
  {
    name: "status",
    label: "Status",
    type: "number",
    placeholder: "none",
    hint: "400 to 599; empty to only wait.",
  },
  { name: "error", label: "Error", placeholder: "the service's own", hint: "Its name in the answer." },
  { name: "message", label: "Message", placeholder: "the usual one" },
  { name: "latencyMs", label: "Wait, in ms", type: "number", placeholder: "0" },
  { name: "rate", label: "How often, in %", type: "number", placeholder: "100" },
  { name: "count", label: "At most, times", type: "number", placeholder: "no limit" },
] as const;
const numberOr = (text: string): number | undefined => (text.trim() === "" ? undefined : Number(text));

function ruleOf(form: Form): NewRule {
  const given = (text: string) => (text.trim() === "" ? undefined : text.trim());
  const percent = numberOr(form.rate);
  const rule = {
    match: { service: given(form.service), operation: given(form.operation), account: given(form.account) },
    latencyMs: numberOr(form.latencyMs),
    status: numberOr(form.status),
    error: given(form.error),
    message: given(form.message),
    rate: percent === undefined ? undefined : percent / 100,
    count: numberOr(form.count),
  };
  return JSON.parse(JSON.stringify(rule)) as NewRule;
}

function RuleForm({
  rules,
  onMade,
}: {
  readonly rules: readonly Rule[];
  readonly onMade: () => void;
}): JSX.Element {
  const [form, setForm] = useState<Form>(EMPTY);
  const { data: document } = useDocument(form.service || undefined);
  const set = (name: keyof Form) => (value: string) => setForm({ ...form, [name]: value });
  const work = useWork(async () => {
    await replace([...rules.map(asGiven), ruleOf(form)]);
    onMade();
  });
  return (
    <form
      class="card stack"
      aria-label="New rule"
      onSubmit={(event) => {
        event.preventDefault();
        void work.run();
      }}
    >
      <div class="fields three">
        <ServiceField
          value={form.service}
          onInput={(service) => setForm({ ...form, service, operation: "" })}
          every="Every service"
        />
        <TextField
          label="Operation"
          placeholder="every one"
          value={form.operation}
          onInput={set("operation")}
          list={(document?.callables ?? []).map(({ operation }) => operation.operationId)}
        />
        {FIELDS.map(({ name, ...field }) => (
          <TextField key={name} {...field} value={form[name]} onInput={set(name)} />
        ))}
      </div>
      <WorkNote work={work} />
      <Button type="submit" kind="main" icon="faults" isBusy={work.isBusy}>
        Add the rule
      </Button>
    </form>
  );
}

export default function Faults(): JSX.Element {
  const loaded = useAnswer("medley.faults.list", {}, { everyMs: 2000 });
  const remove = useWork(async (id: string | undefined) => {
    const left = loaded.data?.rules.filter((rule) => id !== undefined && rule.id !== id) ?? [];
    await replace(left.map(asGiven));
    loaded.reload();
  });
  return (
    <Page
      title="Faults"
      lead="Make requests fail or wait, to see what your program does then. Rules apply until you remove them."
      actions={
        loaded.data && loaded.data.rules.length > 0 ? (
          <Button kind="danger" icon="bin" isBusy={remove.isBusy} onClick={() => void remove.run(undefined)}>
            Remove all
          </Button>
        ) : undefined
      }
    >
      <RuleForm rules={loaded.data?.rules ?? []} onMade={loaded.reload} />
      <WorkNote work={remove} />
      <Section title="Rules">
        <div class="panel">
          <Shown of={loaded}>
            {({ rules }) =>
              rules.length === 0 ? (
                <Empty icon="faults" title="No rules">
                  <p>All requests are answered normally.</p>
                </Empty>
              ) : (
                <ul class="lines">
                  {rules.map((rule) => (
                    <li key={rule.id}>
                      <span class="grow">
                        <b>{whereOf(rule.match)}</b> {whatOf(rule)}
                      </span>
                      <Tag tone={rule.struck > 0 ? "warn" : "plain"}>{counted(rule.struck, "hit")}</Tag>
                      <Button
                        kind="bare"
                        icon="bin"
                        label={`Remove the rule for ${whereOf(rule.match)}`}
                        onClick={() => void remove.run(rule.id)}
                      />
                    </li>
                  ))}
                </ul>
              )
            }
          </Shown>
        </div>
      </Section>
    </Page>
  );
}
