/** Snapshots by name: taken, gone back to after a look at what that changes, deleted. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import type { Answers } from "../../generated/operations.ts";
import { useAnswer, useWork } from "../../loading.ts";
import { Button, Section, Shown, WorkNote } from "../../parts/basics.tsx";
import { Confirmation } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/fields.tsx";
import { bytesText, counted, momentText } from "../../texts.ts";
import { LoadedChanges } from "./changes.tsx";

type Snapshot = Answers["medley.snapshots.list"]["snapshots"][number];
type Scope = { readonly service?: string; readonly account?: string };

function Restoring({
  snapshot,
  onClose,
  onDone,
}: {
  readonly snapshot: Snapshot;
  readonly onClose: () => void;
  readonly onDone: (rows: number) => void;
}): JSX.Element {
  const params = { name: snapshot.name };
  const changes = useAnswer("medley.snapshots.preview", { params });
  const work = useWork(async () => onDone((await call("medley.snapshots.restore", { params })).rows));
  return (
    <Confirmation title={`Restore “${snapshot.name}”?`} verb="Restore" work={work} onClose={onClose}>
      <p>What it covers is replaced by it; your own account stays.</p>
      <LoadedChanges of={changes} />
    </Confirmation>
  );
}

function Deleting({
  snapshot,
  onClose,
  onDone,
}: {
  readonly snapshot: Snapshot;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const work = useWork(async () => {
    await call("medley.snapshots.delete", { params: { name: snapshot.name } });
    onDone();
  });
  return (
    <Confirmation title={`Delete “${snapshot.name}”?`} verb="Delete it" work={work} onClose={onClose}>
      <p>The state itself does not change. The snapshot can no longer be restored.</p>
    </Confirmation>
  );
}

const coverText = ({ service, account }: Snapshot): string =>
  [service ?? "all services", account && `account ${account}`].filter(Boolean).join(", ");

export function Snapshots({
  scope,
  onSaid,
}: {
  readonly scope: Scope;
  readonly onSaid: (text: string) => void;
}): JSX.Element {
  const loaded = useAnswer("medley.snapshots.list", {});
  const [name, setName] = useState("");
  const [restored, setRestored] = useState<Snapshot>();
  const [deleted, setDeleted] = useState<Snapshot>();
  const take = useWork(async () => {
    await call("medley.snapshots.take", { body: { name: name.trim(), ...scope } });
    setName("");
    loaded.reload();
  });
  return (
    <Section title="Snapshots">
      <form
        class="row tight-row snapshot-form"
        onSubmit={(event) => {
          event.preventDefault();
          void take.run();
        }}
      >
        <TextField
          label="Name of the snapshot"
          isHidden
          required
          placeholder="Name, such as before the demo"
          value={name}
          onInput={setName}
        />
        <Button type="submit" icon="add" isBusy={take.isBusy}>
          Take a snapshot
        </Button>
      </form>
      <WorkNote work={take} />
      <div class="panel snapshots">
        <Shown of={loaded} rows={1}>
          {({ snapshots }) =>
            snapshots.length === 0 ? (
              <p class="quiet-note">
                None yet. Take one before you try something, and restore it afterwards.
              </p>
            ) : (
              <ul class="lines">
                {snapshots.map((snapshot) => (
                  <li key={snapshot.name}>
                    <b class="grow">{snapshot.name}</b>
                    <span class="muted wide">
                      {coverText(snapshot)}, {counted(snapshot.rows, "row")}, {bytesText(snapshot.bytes)}
                    </span>
                    <time class="muted wide" dateTime={snapshot.createdAt}>
                      {momentText(snapshot.createdAt)}
                    </time>
                    <Button onClick={() => setRestored(snapshot)}>Restore</Button>
                    <Button
                      kind="bare"
                      icon="bin"
                      label={`Delete ${snapshot.name}`}
                      onClick={() => setDeleted(snapshot)}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </div>
      {restored && (
        <Restoring
          snapshot={restored}
          onClose={() => setRestored(undefined)}
          onDone={(rows) => {
            setRestored(undefined);
            onSaid(`Restored “${restored.name}”: ${counted(rows, "row")} loaded.`);
          }}
        />
      )}
      {deleted && (
        <Deleting
          snapshot={deleted}
          onClose={() => setDeleted(undefined)}
          onDone={() => {
            setDeleted(undefined);
            loaded.reload();
          }}
        />
      )}
    </Section>
  );
}
