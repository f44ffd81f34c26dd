/** The state as a whole: taken out, put in, cleared, by service and account. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, call, Problem, send, session, whoIn } from "../../api.ts";
import { type Loaded, useAnswer, useWork } from "../../loading.ts";
import { Button, Page, Section, WorkNote } from "../../parts/basics.tsx";
import { Confirmation, Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Progress } from "../../parts/progress.tsx";
import { useServices } from "../../services.ts";
import { bytesText, counted } from "../../texts.ts";
import { type Changes, LoadedChanges } from "./changes.tsx";
import { Snapshots } from "./snapshots.tsx";

const EXPORT_NAME = "medley-state.ndjson";
type Scope = { readonly service: string; readonly account: string };
const given = ({ service, account }: Scope) => ({
  ...(service !== "" && { service }),
  ...(account !== "" && { account }),
});
const scopeText = ({ service, account }: Scope, title: string): string =>
  [service === "" ? "all services" : title, account === "" ? "all accounts" : `account ${account}`].join(
    ", ",
  );

/** By the browser's older way, which alone tells how much of a file has gone up. */
function upload(
  file: Blob,
  scope: Scope,
  onProgress: (sentBytes: number) => void,
  signal: AbortSignal,
): Promise<{ rows: number; credentialsLeftOut: number }> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    signal.addEventListener("abort", () => sending.abort());
    sending.onabort = () => reject(new Problem(0, "Stopped", "It was stopped. Nothing was changed."));
    sending.open("PUT", addressOf("medley.state.import", { query: given(scope) }));
    sending.setRequestHeader("content-type", "application/octet-stream");
    sending.setRequestHeader("x-medley-console", "1");
    sending.setRequestHeader("x-medley-csrf", whoIn(session.value)?.csrf ?? "");
    sending.upload.onprogress = ({ loaded }) => onProgress(loaded);
    sending.onload = () => {
      const told = JSON.parse(sending.responseText || "{}");
      if (sending.status === 200) resolve(told);
      else
        reject(
          new Problem(sending.status, told.error?.code ?? "Error", told.error?.message ?? "It was refused."),
        );
    };
    sending.onerror = () => reject(new Problem(0, "Unreachable", "The server does not answer."));
    sending.send(file);
  });
}

/** Over plain HTTP a link would not tell that it comes from here, so the page fetches it itself. */
async function download(
  query: Readonly<Record<string, string>>,
  onProgress: (receivedBytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const answer = await send("medley.state.export", { query }, { signal });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let receivedBytes = 0;
  for (const reader = answer.body?.getReader(); ; ) {
    const next = await reader?.read();
    if (!next || next.done) break;
    parts.push(next.value);
    receivedBytes += next.value.length;
    onProgress(receivedBytes);
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts));
  link.download = EXPORT_NAME;
  link.click();
  URL.revokeObjectURL(link.href);
}

function ResetDialog({
  scope,
  text,
  onClose,
  onDone,
}: {
  readonly scope: Scope;
  readonly text: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const changes = useAnswer("medley.state.preview-reset", { body: given(scope) });
  const work = useWork(async () => {
    await call("medley.state.reset", { body: given(scope) });
    onDone();
  });
  return (
    <Confirmation title="Clear the state?" verb="Clear it" work={work} onClose={onClose}>
      <p>
        Everything of {text} is deleted: rows, files, waiting jobs. Accounts and credentials stay. This cannot
        be undone; a snapshot or an export can be loaded again.
      </p>
      <LoadedChanges of={changes} />
    </Confirmation>
  );
}

/** What a file would change, asked once when the dialog opens. */
function useImportPreview(file: File, scope: Scope): Loaded<Changes> {
  const [state, setState] = useState<{ data?: Changes; problem?: Problem }>({});
  const [turn, setTurn] = useState(0);
  const { service, account } = scope;
  // The turn asks again.
  useEffect(() => {
    setState({});
    const stopped = new AbortController();
    const query = given({ service, account });
    send("medley.state.preview-import", { query }, { file, signal: stopped.signal })
      .then(async (answer) => setState({ data: await answer.json() }))
      .catch((error) => !stopped.signal.aborted && setState({ problem: error }));
    return () => stopped.abort();
  }, [file, service, account, turn]);
  return { data: state.data, problem: state.problem, reload: () => setTurn(turn + 1) };
}

function ImportDialog({
  file,
  scope,
  title,
  onClose,
}: {
  readonly file: File;
  readonly scope: Scope;
  readonly title: string;
  readonly onClose: () => void;
}): JSX.Element {
  const changes = useImportPreview(file, scope);
  const [sentBytes, setSentBytes] = useState(0);
  const stopping = useRef<AbortController>(undefined);
  const [done, setDone] = useState<{ rows: number; credentialsLeftOut: number }>();
  const work = useWork(async () => {
    setSentBytes(0);
    stopping.current = new AbortController();
    setDone(await upload(file, scope, setSentBytes, stopping.current.signal));
  });
  const isSent = sentBytes >= file.size;
  return (
    <Dialog title="Load this state?" onClose={onClose}>
      <div class="stack">
        <p>
          <b>{file.name}</b>, {bytesText(file.size)}. What it covers of {scopeText(scope, title)} is replaced
          by it; your own account stays.
        </p>
        {!done && <LoadedChanges of={changes} />}
        {work.isBusy && (
          <Progress
            label="How much is done"
            percent={isSent ? undefined : (100 * sentBytes) / file.size}
            onStop={isSent ? undefined : () => stopping.current?.abort()}
          >
            {isSent
              ? "All of it has been sent. The server puts it in."
              : `${bytesText(sentBytes)} of ${bytesText(file.size)} sent`}
          </Progress>
        )}
        {done && (
          <p class="notice" role="status">
            {counted(done.rows, "row")} loaded.
            {done.credentialsLeftOut > 0 &&
              ` ${counted(done.credentialsLeftOut, "credential")} belong to others here and were left out.`}
          </p>
        )}
        <WorkNote work={work} />
        <div class="row end">
          <Button onClick={onClose}>{done ? "Close" : "Cancel"}</Button>
          {!done && (
            <Button
              kind="danger"
              icon="up"
              isBusy={work.isBusy}
              disabled={changes.data === undefined}
              onClick={() => void work.run()}
            >
              Replace
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function DropPlace({ onFile }: { readonly onFile: (file: File) => void }): JSX.Element {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) onFile(file);
  };
  return (
    <div
      class={isOver ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <Icon name="up" />
      <p>Drop an export here, or</p>
      <label class="button quiet file-button">
        <span>Choose a file</span>
        <input
          ref={input}
          type="file"
          class="unseen"
          onChange={(event) => {
            take(event.currentTarget.files);
            event.currentTarget.value = "";
          }}
        />
      </label>
    </div>
  );
}

/** What can be done with what was chosen. */
function Actions({
  scope,
  onSaid,
  onReset,
}: {
  readonly scope: Scope;
  readonly onSaid: (text: string) => void;
  readonly onReset: () => void;
}): JSX.Element {
  const [receivedBytes, setReceivedBytes] = useState(0);
  const stopping = useRef<AbortController>(undefined);
  const saving = useWork(async () => {
    setReceivedBytes(0);
    stopping.current = new AbortController();
    const { signal } = stopping.current;
    await download(given(scope), setReceivedBytes, signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
  });
  const seed = useWork(async () => {
    const { made } = await call("medley.seed", {
      body: scope.service === "" ? {} : { services: [scope.service] },
    });
    onSaid(
      `Demo data is there: ${counted(
        made.reduce((sum, { rows }) => sum + rows, 0),
        "row",
      )} added.`,
    );
  });
  return (
    <>
      <div class="row state-actions">
        <a
          class="button"
          href={addressOf("medley.state.export", { query: given(scope) })}
          download={EXPORT_NAME}
          onClick={(event) => {
            // The browser saves it by itself, and tells how far it is.
            if (isSecureContext) return;
            event.preventDefault();
            void saving.run();
          }}
        >
          <Icon name="down" />
          <span>Export</span>
        </a>
        <Button icon="seed" isBusy={seed.isBusy} onClick={() => void seed.run()}>
          Load the demo data
        </Button>
        <Button kind="danger" icon="bin" onClick={() => onReset()}>
          Reset
        </Button>
      </div>
      <WorkNote work={seed} />
      {saving.isBusy && (
        <Progress label="Export" percent={undefined} onStop={() => stopping.current?.abort()}>
          {bytesText(receivedBytes)} received
        </Progress>
      )}
      <WorkNote work={saving} />
    </>
  );
}

export default function State(): JSX.Element {
  const services = useServices();
  const [scope, setScope] = useState<Scope>({ service: "", account: "" });
  const [file, setFile] = useState<File>();
  const [isResetting, setResetting] = useState(false);
  const [said, setSaid] = useState("");
  const accounts = useAnswer("medley.credentials.list", {}).data?.accounts.map(({ id }) => id);
  const title = services.find(({ name }) => name === scope.service)?.title ?? scope.service;
  return (
    <Page
      title="State"
      lead="Export everything that the services store, import it again, or restore a snapshot."
    >
      <div class="card">
        <div class="fields two">
          <SelectField
            label="Service"
            value={scope.service}
            onInput={(service) => setScope({ ...scope, service })}
            choices={[["", "All services"], ...services.map((one) => [one.name, one.title] as const)]}
          />
          <TextField
            label="Account"
            placeholder="all accounts"
            list={accounts ?? []}
            value={scope.account}
            onInput={(account) => setScope({ ...scope, account })}
          />
        </div>
        <Actions scope={scope} onSaid={setSaid} onReset={() => setResetting(true)} />
        {said !== "" && (
          <p class="notice" role="status">
            {said}
          </p>
        )}
      </div>
      <Snapshots scope={given(scope)} onSaid={setSaid} />
      <Section title="Import">
        <DropPlace onFile={setFile} />
      </Section>
      {file && <ImportDialog file={file} scope={scope} title={title} onClose={() => setFile(undefined)} />}
      {isResetting && (
        <ResetDialog
          scope={scope}
          text={scopeText(scope, title)}
          onClose={() => setResetting(false)}
          onDone={() => {
            setResetting(false);
            setSaid(`Cleared: ${scopeText(scope, title)}.`);
          }}
        />
      )}
    </Page>
  );
}
