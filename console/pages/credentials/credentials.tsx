/** Accounts, what they may do, and their credentials: made, shown once, revoked, and asked about. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call, type SignedIn, session } from "../../api.ts";
import { useAnswer, useWork } from "../../loading.ts";
import { Button, Page, Section, Shown, Tag } from "../../parts/basics.tsx";
import { Confirmation } from "../../parts/dialog.tsx";
import { useStore } from "../../store.ts";
import { momentText } from "../../texts.ts";
import type { Account, Policy } from "./account.ts";
import { Check } from "./check.tsx";
import { NewCredential } from "./new-credential.tsx";
import { PolicyEditor } from "./policy-editor.tsx";

type Credential = Account["credentials"][number];

const KIND_WORDS: Readonly<Record<string, string>> = {
  token: "token",
  apiKey: "API key",
  accessKey: "access key",
  basic: "name and password",
};

const Policies = ({ policies }: { readonly policies: readonly Policy[] }): JSX.Element => (
  <ul class="policies">
    {policies.map(({ effect, actions, resources }, at) => (
      <li key={at}>
        <Tag tone={/allow/i.test(effect) ? "good" : "bad"}>{effect}</Tag> <code>{actions.join(", ")}</code>
        {!(resources.length === 1 && resources[0] === "*") && (
          <>
            {" "}
            on <code>{resources.join(", ")}</code>
          </>
        )}
      </li>
    ))}
    {policies.length === 0 && <li class="muted">No policies: nothing is allowed.</li>}
  </ul>
);

function Revocation({
  credential,
  onClose,
  onDone,
}: {
  readonly credential: Credential;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const work = useWork(async () => {
    await call("medley.credentials.revoke", { query: { id: credential.id } });
    onDone();
  });
  return (
    <Confirmation title={`Revoke ${credential.name}?`} verb="Revoke" work={work} onClose={onClose}>
      <p>Requests with it are refused from now on. This cannot be undone.</p>
    </Confirmation>
  );
}

function AccountCard({
  account,
  onChange,
}: {
  readonly account: Account;
  readonly onChange: () => void;
}): JSX.Element {
  const [revoked, setRevoked] = useState<Credential>();
  const [isEditing, setEditing] = useState(false);
  return (
    <div class="card account">
      <div class="account-head">
        <h3>{account.name}</h3>
        <code>{account.id}</code>
        {account.admin && <Tag tone="good">admin</Tag>}
        <span class="grow" />
        <Button icon="edit" onClick={() => setEditing(true)}>
          Policies
        </Button>
      </div>
      <Policies policies={account.policies as readonly Policy[]} />
      <ul class="lines inset">
        {account.credentials.map((credential) => (
          <li key={credential.id}>
            <Tag>{KIND_WORDS[credential.kind] ?? credential.kind}</Tag>
            <span class="grow mono">{credential.name}</span>
            <span class="muted wide">
              {credential.scopes && `only ${credential.scopes.join(", ")}. `}
              {credential.expiresAt
                ? `Until ${momentText(credential.expiresAt)}`
                : `Since ${momentText(credential.createdAt)}`}
            </span>
            <Button
              kind="bare"
              icon="bin"
              label={`Revoke ${credential.name}`}
              onClick={() => setRevoked(credential)}
            />
          </li>
        ))}
      </ul>
      {isEditing && (
        <PolicyEditor
          account={account}
          onClose={() => setEditing(false)}
          onDone={() => {
            setEditing(false);
            onChange();
          }}
        />
      )}
      {revoked && (
        <Revocation
          credential={revoked}
          onClose={() => setRevoked(undefined)}
          onDone={() => {
            setRevoked(undefined);
            onChange();
          }}
        />
      )}
    </div>
  );
}

export default function Credentials(): JSX.Element {
  const who = useStore(session) as SignedIn;
  const loaded = useAnswer("medley.credentials.list", {});
  const [isMaking, setMaking] = useState(false);
  return (
    <Page
      title="Credentials"
      lead="The secrets that accounts sign in with. Each is shown once, when it is created."
      actions={
        <Button kind="main" icon="add" onClick={() => setMaking(true)}>
          New credential
        </Button>
      }
    >
      <Section title="Accounts">
        <Shown of={loaded} rows={8}>
          {({ accounts }) => (
            <>
              {accounts.map((account) => (
                <AccountCard key={account.id} account={account} onChange={loaded.reload} />
              ))}
              <Check accounts={accounts} />
              {isMaking && (
                <NewCredential
                  accounts={accounts}
                  own={who.account}
                  onClose={() => setMaking(false)}
                  onMade={loaded.reload}
                />
              )}
            </>
          )}
        </Shown>
      </Section>
    </Page>
  );
}
