/** Everything that would leave the machine: mails as they look, calls to be heard, webhooks with their attempts. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { call, type SignedIn, send, session } from "../../api.ts";
import type { Answers } from "../../generated/operations.ts";
import { useAnswer, useChange, useWork } from "../../loading.ts";
import { Button, CopyButton, Empty, Page, Shown, StatusTag, Tag, WorkNote } from "../../parts/basics.tsx";
import { BodyView, HeaderList, readable, useBlobAddress } from "../../parts/bodies/body-view.tsx";
import { State } from "../../parts/cells.tsx";
import { ColumnsMenu, useColumns } from "../../parts/columns-menu.tsx";
import { Fact } from "../../parts/facts.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { NothingFits } from "../../parts/nothing-fits.tsx";
import { usePages } from "../../parts/paged.ts";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Seeding } from "../../parts/seeding.tsx";
import { ServiceField } from "../../parts/service-field.tsx";
import { Split } from "../../parts/split.tsx";
import { type Column, titlesOf } from "../../parts/table.tsx";
import { setQuery, useAddress } from "../../router.ts";
import { useStore } from "../../store.ts";
import { momentText } from "../../texts.ts";
import { capitalized, wordsOf } from "../../words.ts";

type Message = Answers["medley.outbox.list"]["messages"][number];
type MessageDetail = Answers["medley.outbox.get"];
const ROWS = 100;
const KINDS = ["mail", "call", "webhook", "queue", "topic", "stream", "chat", "log"];

const STATES = ["recorded", "waiting", "delivered", "failed"];

const subjectOf = ({ subject, target }: Pick<Message, "subject" | "target">): string =>
  wordsOf(subject ?? "") || target;

const columnsFor = (read: ReadonlySet<string>): readonly Column<Message>[] => [
  {
    title: "Subject",
    value: subjectOf,
    cell: (message) => (
      <span class={read.has(message.id) ? "read" : "unread"} title={subjectOf(message)}>
        {!read.has(message.id) && <span class="unseen">Unread: </span>}
        {subjectOf(message)}
      </span>
    ),
  },
  { title: "To", value: ({ target }) => target, isWide: true },
  { title: "Kind", value: ({ kind }) => kind, cell: ({ kind }) => <Tag>{capitalized(kind)}</Tag> },
  { title: "State", value: ({ state }) => state, isWide: true },
  { title: "Made", value: ({ createdAt }) => createdAt, isWide: true },
  { title: "Service", value: ({ service }) => service, isWide: true },
  { title: "Id", value: ({ id }) => id, isWide: true },
];

/**
 * What its author says of its looks, set by this page: the policy that holds in the frame as well lets markup say nothing of the kind.
 * What it would fetch stays forbidden.
 */
function dress(frame: HTMLIFrameElement): void {
  const { contentDocument: document, contentWindow: window } = frame;
  if (!document || !window) return;
  for (const element of document.querySelectorAll<HTMLElement>("[style]"))
    element.style.cssText = element.getAttribute("style") ?? "";
  const sheet = new (window as Window & typeof globalThis).CSSStyleSheet();
  sheet.replaceSync([...document.querySelectorAll("style")].map(({ textContent }) => textContent).join("\n"));
  document.adoptedStyleSheets = [sheet];
}

/** A mail's own page has no rights: no script, no forms, and nothing is fetched, by the policy of this page. */
function Mail({ message }: { readonly message: MessageDetail }): JSX.Element | null {
  const { mail } = message;
  if (!mail) return null;
  const { from } = message.headers;
  return (
    <section class="message">
      <h3>Mail</h3>
      <dl class="fact-row">
        {from !== undefined && <Fact name="From" value={String(from)} />}
        <Fact name="To" value={mail.to} />
        <Fact name="Subject" value={mail.subject} />
      </dl>
      {mail.html !== undefined && (
        <iframe
          class="mail"
          sandbox="allow-same-origin"
          srcdoc={mail.html}
          title={`Mail: ${mail.subject}`}
          onLoad={(event) => dress(event.currentTarget)}
        />
      )}
      {mail.text !== undefined && (
        <pre tabIndex={0} class="mail-text">
          {mail.text}
        </pre>
      )}
    </section>
  );
}

function Content({ id, kind }: { readonly id: string; readonly kind: string }): JSX.Element | null {
  const [found, setFound] = useState<{ bytes: ArrayBuffer; type: string }>();
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    const stopped = new AbortController();
    send("medley.outbox.content", { params: { id } }, { signal: stopped.signal })
      .then(async (answer) => {
        const type = answer.headers.get("content-type") ?? "application/octet-stream";
        setFound({ bytes: await answer.arrayBuffer(), type });
      })
      .catch(() => !stopped.signal.aborted && setGone(true));
    return () => stopped.abort();
  }, [id]);
  const address = useBlobAddress(found?.bytes, found?.type ?? "");
  if (isGone)
    return (
      <p class="muted">{kind === "call" ? "The sound of this call" : "Its content"} is no longer kept.</p>
    );
  if (!found || !address)
    return (
      <section class="message content">
        <h3>Content</h3>
      </section>
    );
  return (
    <section class="message content">
      <h3>Content</h3>
      {/^audio\//.test(found.type) && <audio controls src={address} aria-label="Recording" />}
      {/^image\//.test(found.type) && <img class="picture" src={address} alt="Content" />}
      <p>
        <a href={address} download={`${id}.${found.type.split("/")[1]?.split(";")[0] ?? "bin"}`}>
          Download
        </a>{" "}
        <small>{found.type}</small>
      </p>
    </section>
  );
}

function Attempts({ deliveries }: { readonly deliveries: MessageDetail["deliveries"] }): JSX.Element | null {
  if (deliveries.length === 0) return null;
  return (
    <section class="message">
      <h3>Attempts</h3>
      <ol class="panel lines">
        {deliveries.map(({ at, status, error }, index) => (
          <li key={index}>
            <time dateTime={at}>{momentText(at)}</time>
            {status !== null && <StatusTag status={status} />}
            <span class="grow">{error ?? "accepted"}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const READ_KEY = "medley-outbox-read";
const READ_KEPT = 500;
/** Which messages were opened in this browser, with the one that is open. */
function useRead(chosen: string | undefined): ReadonlySet<string> {
  const [read, setRead] = useState<readonly string[]>(() =>
    JSON.parse(localStorage.getItem(READ_KEY) ?? "[]"),
  );
  useEffect(() => {
    if (chosen === undefined || read.includes(chosen)) return;
    const next = [chosen, ...read].slice(0, READ_KEPT);
    localStorage.setItem(READ_KEY, JSON.stringify(next));
    setRead(next);
  }, [chosen, read]);
  return useMemo(() => new Set(read), [read]);
}

const LOOK_AGAIN_MS = 1000;
/** Of what went somewhere; everything else is kept here for good. */
const CAN_GO_AGAIN: ReadonlySet<string> = new Set(["delivered", "failed"]);

const Facts = ({ message }: { readonly message: MessageDetail }): JSX.Element => (
  <dl class="fact-row">
    <Fact name="Kind" value={capitalized(message.kind)} />
    <Fact name="Service" value={message.service} />
    <Fact name="Account" value={message.account} />
    <Fact name="Made" value={momentText(message.createdAt)} />
    {message.deliveredAt && <Fact name="Delivered" value={momentText(message.deliveredAt)} />}
    <Fact name="Attempts" value={String(message.attempts)} />
    {message.error && <Fact name="Error" value={message.error} />}
  </dl>
);

const close = () => setQuery({ id: undefined });

function Detail({ id, onChange }: { readonly id: string; readonly onChange: () => void }): JSX.Element {
  const who = useStore(session) as SignedIn;
  const loaded = useAnswer(
    "medley.outbox.get",
    { params: { id } },
    { everyMs: ({ state }) => (state === "waiting" ? LOOK_AGAIN_MS : undefined) },
  );
  useChange(loaded.data?.state, onChange);
  const again = useWork(async () => {
    await call("medley.outbox.again", { params: { id } });
    loaded.reload();
  });
  return (
    <Shown of={loaded} leave={close}>
      {(message) => (
        <article class="inspector" aria-label={`Message to ${message.target}`}>
          <div class="inspector-title">
            <State word={message.state} />
            <h2 class="break">{subjectOf(message)}</h2>
            <Button kind="bare" icon="close" label="Close this message" onClick={close} />
          </div>
          <div class="row tight-row">
            {who.admin && CAN_GO_AGAIN.has(message.state) && (
              <Button icon="again" isBusy={again.isBusy} onClick={() => void again.run()}>
                Deliver again
              </Button>
            )}
            <CopyButton text={() => readable(message).text}>Copy payload</CopyButton>
          </div>
          <WorkNote work={again} />
          <Facts message={message} />
          <Attempts deliveries={message.deliveries} />
          <Mail message={message} />
          {message.content && <Content id={message.id} kind={message.kind} />}
          <section class="message">
            <h3>{message.mail ? "Source" : "Payload"}</h3>
            <BodyView body={{ body: message.body }} label="Message payload" />
            {Object.keys(message.headers).length > 0 && (
              <details>
                <summary>Headers</summary>
                <HeaderList headers={message.headers} />
              </details>
            )}
          </section>
        </article>
      )}
    </Shown>
  );
}

export default function Outbox(): JSX.Element {
  const { query } = useAddress();
  const wordOf = (name: string) => query.get(name) ?? "";
  const filter = {
    kind: wordOf("kind"),
    state: wordOf("state"),
    service: wordOf("service"),
    target: wordOf("target"),
    text: wordOf("text"),
  };
  const paged = usePages("medley.outbox.list", { ...filter, limit: ROWS }, ({ messages }) => messages);
  const chosen = query.get("id") ?? undefined;
  const read = useRead(chosen);
  const columns = useMemo(() => columnsFor(read), [read]);
  const kept = useColumns("outbox", ["Id"]);
  const isFiltered = Object.values(filter).some((word) => word !== "");
  const set = (name: string) => (value: string) => setQuery({ [name]: value });
  return (
    <Page
      isFull
      title="Outbox"
      actions={
        <>
          <ColumnsMenu title="Outbox" columns={titlesOf(columns)} kept={kept} />
          <Button icon="again" onClick={paged.reload}>
            Refresh
          </Button>
        </>
      }
    >
      <div class="filters">
        <TextField
          label="Search"
          isHidden
          type="search"
          placeholder="Search address, subject and text"
          value={filter.text}
          onInput={set("text")}
        />
        <SelectField
          label="Kind"
          isHidden
          value={filter.kind}
          onInput={set("kind")}
          choices={[["", "All kinds"], ...KINDS.map((kind) => [kind, capitalized(kind)] as const)]}
        />
        <SelectField
          label="State"
          isHidden
          value={filter.state}
          onInput={set("state")}
          choices={[["", "Any state"], ...STATES.map((state) => [state, capitalized(state)] as const)]}
        />
        <ServiceField isHidden value={filter.service} onInput={set("service")} />
      </div>
      <Split detail={chosen && <Detail key={chosen} id={chosen} onChange={paged.reload} />}>
        <PagedTable
          label="Outgoing messages"
          paged={paged}
          columns={columns}
          kept={kept}
          keyOf={(message) => message.id}
          chosen={chosen}
          onChoose={(id) => setQuery({ id })}
          empty={
            isFiltered ? (
              <NothingFits icon="outbox" words={Object.keys(filter)} />
            ) : (
              <Empty icon="outbox" title="No messages yet">
                <p>
                  Mails, calls, webhooks and queue messages of the services are kept here instead of being
                  sent.
                </p>
                <Seeding onSeeded={paged.reload} />
              </Empty>
            )
          }
        />
      </Split>
    </Page>
  );
}
