/** Making a credential: what kind, for what, how long; its secret once, with a block for an .env file. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { useWork } from "../../loading.ts";
import { Button, CopyButton, WorkNote } from "../../parts/basics.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, SelectField, TextField } from "../../parts/fields.tsx";
import type { Account } from "./account.ts";

type Made = Readonly<Record<string, string>>;
const KINDS = [
  ["token", "Bearer token"],
  ["apiKey", "API key"],
  ["accessKey", "Access key, for signed requests"],
  ["basic", "Name and password"],
] as const;

/** The same names as `medley credentials --env`. */
const VARIABLES: Readonly<Record<string, string>> = {
  account: "MEDLEY_ACCOUNT",
  token: "MEDLEY_TOKEN",
  apiKey: "MEDLEY_API_KEY",
  username: "MEDLEY_USERNAME",
  password: "MEDLEY_PASSWORD",
  accessKeyId: "AWS_ACCESS_KEY_ID",
  secretAccessKey: "AWS_SECRET_ACCESS_KEY",
  sessionToken: "AWS_SESSION_TOKEN",
};
const envOf = (made: Made): string =>
  [
    ["MEDLEY_URL", location.origin],
    ...Object.entries(made).flatMap(([name, value]) => {
      const variable = VARIABLES[name];
      return variable ? [[variable, value]] : [];
    }),
  ]
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");

function Shown({ made, onClose }: { readonly made: Made; readonly onClose: () => void }): JSX.Element {
  const words = Object.entries(made).filter(([name]) => name !== "kind" && name !== "account");
  return (
    <div class="stack">
      <p class="notice warn">This is shown once. Copy it now: nobody can look it up later.</p>
      <ul class="lines panel secrets">
        {words.map(([name, value]) => (
          <li key={name}>
            <span class="muted">{name}</span>
            <code class="grow break">{value}</code>
            <CopyButton label={`Copy ${name}`} text={() => value} />
          </li>
        ))}
      </ul>
      <div class="message">
        <h3>For an .env file</h3>
        <pre tabIndex={0}>
          <code>{envOf(made)}</code>
        </pre>
      </div>
      <div class="row end">
        <CopyButton text={() => envOf(made)}>Copy for .env</CopyButton>
        <Button kind="main" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

export function NewCredential({
  accounts,
  own,
  onClose,
  onMade,
}: {
  readonly accounts: readonly Account[];
  readonly own: string;
  readonly onClose: () => void;
  readonly onMade: () => void;
}): JSX.Element {
  const [made, setMade] = useState<Made>();
  const [form, setForm] = useState({
    account: own,
    kind: "token",
    scopes: "",
    expiresIn: "",
    username: "",
    session: false,
  });
  const set = (name: "account" | "kind" | "scopes" | "expiresIn" | "username") => (value: string) =>
    setForm({ ...form, [name]: value });
  const work = useWork(async () => {
    const scopes = form.scopes.split(/[\s,]+/).filter((word) => word !== "");
    const body = {
      account: form.account,
      kind: form.kind,
      ...(scopes.length > 0 && { scopes }),
      ...(form.expiresIn && { expiresIn: form.expiresIn }),
      ...(form.kind === "basic" && form.username && { username: form.username }),
      ...(form.kind === "accessKey" && form.session && { session: true }),
    };
    const { credential } = await call("medley.credentials.create", { body });
    setMade(credential ?? {});
    onMade();
  });
  return (
    <Dialog title={made ? "The new credential" : "New credential"} onClose={onClose}>
      {made ? (
        <Shown made={made} onClose={onClose} />
      ) : (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void work.run();
          }}
        >
          <div class="fields two">
            <SelectField
              label="Account"
              value={form.account}
              onInput={set("account")}
              choices={accounts.map(({ id, name }) => [id, `${name} (${id})`] as const)}
            />
            <SelectField label="Kind" value={form.kind} onInput={set("kind")} choices={KINDS} />
            <TextField
              label="Expires after"
              placeholder="never"
              hint="Such as 8h or 30d."
              value={form.expiresIn}
              onInput={set("expiresIn")}
            />
            <TextField
              label="Scopes"
              placeholder="everything that its account may do"
              hint="Actions, such as braille:* sms-voice:*"
              value={form.scopes}
              onInput={set("scopes")}
            />
            {form.kind === "basic" && (
              <TextField
                label="Name"
                placeholder="generated"
                value={form.username}
                onInput={set("username")}
              />
            )}
          </div>
          {form.kind === "accessKey" && (
            <Check
              label="Temporary, with a session token"
              value={form.session}
              onInput={(value) => setForm({ ...form, session: value })}
            />
          )}
          <WorkNote work={work} />
          <div class="row end">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" kind="main" isBusy={work.isBusy}>
              Create
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
