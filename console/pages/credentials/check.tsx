/** “May this credential do that?”, with the statement that decides it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import type { Answers } from "../../generated/operations.ts";
import { useWork } from "../../loading.ts";
import { Button, Section, Tag, WorkNote } from "../../parts/basics.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import type { Account } from "./account.ts";

type Decision = Answers["medley.credentials.check"];

/** An account as a whole, or one of its credentials. */
const choicesOf = (accounts: readonly Account[]) =>
  accounts.flatMap(({ id, name, credentials }) => [
    [`account ${id}`, `${name}: the account`] as const,
    ...credentials.map((one) => [`credential ${one.id}`, `${name}: ${one.kind} ${one.name}`] as const),
  ]);

const Outcome = ({ decision }: { readonly decision: Decision }): JSX.Element => (
  <div class="outcome">
    <p>
      <Tag tone={decision.allowed ? "good" : "bad"}>{decision.allowed ? "Allowed" : "Denied"}</Tag>{" "}
      <code>{decision.action}</code> {decision.why}
    </p>
    {decision.statement && (
      <pre tabIndex={0}>
        <code>{JSON.stringify(decision.statement, null, 2)}</code>
      </pre>
    )}
  </div>
);

export function Check({ accounts }: { readonly accounts: readonly Account[] }): JSX.Element {
  const choices = choicesOf(accounts);
  const [chosen, setChosen] = useState("");
  // One that was revoked meanwhile can no longer be asked about.
  const who = choices.some(([one]) => one === chosen) ? chosen : (choices[0]?.[0] ?? "");
  const [what, setWhat] = useState("");
  const [resource, setResource] = useState("*");
  const [decision, setDecision] = useState<Decision>();
  const work = useWork(async () => {
    const [kind, id] = who.split(" ");
    const body = {
      ...(kind === "account" ? { account: id } : { credential: id }),
      ...(what.includes(":") ? { action: what.trim() } : { operation: what.trim() }),
      resource: resource.trim() === "" ? "*" : resource.trim(),
    };
    setDecision(undefined);
    setDecision(await call("medley.credentials.check", { body }));
  });
  return (
    <Section title="May this credential do that?">
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          void work.run();
        }}
      >
        <div class="fields three">
          <SelectField label="Who" value={who} onInput={setChosen} choices={choices} />
          <TextField
            label="What"
            required
            placeholder="braille:Translate"
            hint="An action, or an operation such as voice.SendVoiceMessage"
            value={what}
            onInput={setWhat}
          />
          <TextField label="On which resource" value={resource} onInput={setResource} />
        </div>
        <WorkNote work={work} />
        <div role="status">{decision && <Outcome decision={decision} />}</div>
        <Button type="submit" isBusy={work.isBusy}>
          Ask
        </Button>
      </form>
    </Section>
  );
}
