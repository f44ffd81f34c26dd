/** The policies of an account, one row for each: what is allowed or denied, on which resources. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { useWork } from "../../loading.ts";
import { Button, WorkNote } from "../../parts/basics.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import type { Account, Policy } from "./account.ts";

const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== "");
type Row = {
  readonly effect: string;
  readonly actions: string;
  readonly resources: string;
};

export function PolicyEditor({
  account,
  onClose,
  onDone,
}: {
  readonly account: Account;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    (account.policies as readonly Policy[]).map(({ effect, actions, resources }) => ({
      effect,
      actions: actions.join(" "),
      resources: resources.join(" "),
    })),
  );
  const work = useWork(async () => {
    const policies = rows.map(({ effect, actions, resources }) => ({
      effect: effect === "Deny" ? ("Deny" as const) : ("Allow" as const),
      actions: wordsOf(actions),
      resources: wordsOf(resources),
    }));
    await call("medley.credentials.policies", { body: { account: account.id, policies } });
    onDone();
  });
  const change = (at: number, part: Partial<Row>) =>
    setRows(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <Dialog title={`Policies of ${account.name}`} onClose={onClose} isBroad>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void work.run();
        }}
      >
        <p class="muted">
          Actions and resources with <code>*</code> for any characters, several with spaces between them. A
          denial outweighs every permission; what nothing allows is denied.
        </p>
        {rows.map(({ effect, actions, resources }, at) => (
          <div class="policy-row" key={at}>
            <select
              aria-label={`Effect of policy ${at + 1}`}
              value={effect}
              onChange={(event) => change(at, { effect: event.currentTarget.value })}
            >
              <option>Allow</option>
              <option>Deny</option>
            </select>
            <input
              aria-label={`Actions of policy ${at + 1}`}
              class="mono"
              required
              placeholder="braille:*"
              value={actions}
              onInput={(event) => change(at, { actions: event.currentTarget.value })}
            />
            <input
              aria-label={`Resources of policy ${at + 1}`}
              class="mono"
              required
              value={resources}
              onInput={(event) => change(at, { resources: event.currentTarget.value })}
            />
            <Button
              kind="bare"
              icon="bin"
              label={`Remove policy ${at + 1}`}
              onClick={() => setRows(rows.filter((_row, index) => index !== at))}
            />
          </div>
        ))}
        <WorkNote work={work} />
        <div class="row end">
          <Button
            icon="add"
            onClick={() => setRows([...rows, { effect: "Allow", actions: "", resources: "*" }])}
          >
            Policy
          </Button>
          <Button type="submit" kind="main" isBusy={work.isBusy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
