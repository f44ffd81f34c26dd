/** One request in full: what was asked and answered, by whom, how long each step took, and what came of it. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { call } from "../../api.ts";
import { useAnswer, useWork } from "../../loading.ts";
import { Button, CopyButton, Method, Shown, StatusTag, Tag, WorkNote } from "../../parts/basics.tsx";
import { BodyView, HeaderList } from "../../parts/bodies/body-view.tsx";
import { momentText, msText } from "../../texts.ts";
import { wordsOf } from "../../words.ts";
import { curlOf } from "./as-curl.ts";
import { clientCallOf } from "./client-call.ts";
import type { RequestDetail } from "./sent.ts";

const PHASE_WORDS: Readonly<Record<string, string>> = {
  decided: "credential and permission checked",
  received: "body received",
  handled: "handled",
  committed: "committed",
  answered: "answered",
};

export function Phases({ request }: { readonly request: RequestDetail }): JSX.Element | null {
  const { phases } = request;
  const whole = phases.reduce((sum, { ms }) => sum + ms, 0);
  if (whole === 0) return null;
  return (
    <div class="phases">
      <div class="phase-bar" aria-hidden="true">
        {phases.map(({ name, ms }) => (
          <span key={name} class={`phase ${name}`} style={{ flexGrow: Math.max(ms / whole, 0.005) }} />
        ))}
      </div>
      <ul>
        {phases.map(({ name, ms }) => (
          <li key={name}>
            <span class={`dot ${name}`} aria-hidden="true" /> {PHASE_WORDS[name] ?? name} <b>{msText(ms)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

export type Effect = RequestDetail["caused"][number];
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  job: (id) => `/console/jobs?id=${encodeURIComponent(id)}`,
  message: (id) => `/console/outbox?id=${encodeURIComponent(id)}`,
  resource: (id) => `/console/resources?arn=${encodeURIComponent(id)}`,
};
export const Effects = ({ caused }: { readonly caused: readonly Effect[] }): JSX.Element => (
  <ul class="effects">
    {caused.map(({ kind, id, name, change, by }, at) => (
      <li key={at}>
        <Tag>{kind}</Tag> {change && <span class="muted">{change} </span>}
        <a href={PAGES[kind]?.(id)}>{name}</a>
        {by !== undefined && (
          <small class="muted">
            {" "}
            by <a href={PAGES.job?.(by)}>its job</a>
          </small>
        )}
      </li>
    ))}
  </ul>
);

function Message({
  title,
  message,
}: {
  readonly title: string;
  readonly message: RequestDetail["answer"];
}): JSX.Element {
  const count = Object.keys(message.headers).length;
  return (
    <section class="message">
      <h3>{title}</h3>
      <BodyView body={message} label={`${title} body`} />
      <details>
        <summary>{count === 1 ? "1 header" : `${count} headers`}</summary>
        <HeaderList headers={message.headers} />
      </details>
    </section>
  );
}

/** What the request said that nobody understands, as the answer's Warning header tells it. */
const Ignored = ({ request }: { readonly request: RequestDetail }): JSX.Element | null => {
  const { warning } = request.answer.headers as Readonly<Record<string, unknown>>;
  const [, sentence] = /^299 medley "(.*)"$/.exec(String(warning ?? "")) ?? [];
  return sentence === undefined ? null : (
    <div>
      <dt>Ignored</dt>
      <dd>{sentence}.</dd>
    </div>
  );
};
const Facts = ({ request }: { readonly request: RequestDetail }): JSX.Element => (
  <dl class="fact-row">
    <div>
      <dt>Operation</dt>
      <dd>
        {request.matched ? (
          <a
            href={`/console/docs/${request.matched.service}#${request.matched.id}`}
            title={request.matched.summary}
          >
            {request.matched.id}
          </a>
        ) : (
          "none"
        )}
      </dd>
    </div>
    <div>
      <dt>Who</dt>
      <dd>
        {request.who ? (
          <>
            {request.who.account}{" "}
            <small class="muted">
              {request.who.kind === "none"
                ? "without a credential"
                : `${wordsOf(request.who.kind)} ${request.who.name}`}
            </small>
          </>
        ) : (
          "nobody"
        )}
      </dd>
    </div>
    <div>
      <dt>When</dt>
      <dd>
        <time dateTime={request.at}>{momentText(request.at)}</time>
      </dd>
    </div>
    <Ignored request={request} />
    <div>
      <dt>Took</dt>
      <dd>{msText(request.durationMs)}</dd>
    </div>
    <div>
      <dt>Id</dt>
      <dd class="mono">{request.id}</dd>
    </div>
  </dl>
);

type Actions = {
  readonly onSent: (id: string) => void;
  readonly onCompare: (() => void) | undefined;
  readonly onClose: () => void;
};

export function Detail({
  request,
  actions,
}: {
  readonly request: RequestDetail;
  readonly actions: Actions;
}): JSX.Element {
  const again = useWork(async () => {
    const { id } = await call("medley.requests.again", { params: { id: request.id }, body: {} });
    if (id !== null) actions.onSent(id);
  });
  return (
    <article class="inspector" aria-label={`${request.method} ${request.url}`}>
      <div class="inspector-head">
        <div class="inspector-title">
          <StatusTag status={request.status} /> <Method method={request.method} />
          <h2 class="mono break">{request.url}</h2>
          <Button kind="bare" icon="close" label="Close this request" onClick={actions.onClose} />
        </div>
        <div class="row tight-row">
          <Button icon="again" isBusy={again.isBusy} onClick={() => void again.run()}>
            Send again
          </Button>
          <a class="button quiet" href={`/console/try?request=${encodeURIComponent(request.id)}`}>
            Edit
          </a>
          {actions.onCompare && (
            <Button icon="compare" onClick={actions.onCompare}>
              Compare
            </Button>
          )}
          <CopyButton text={() => curlOf(request)}>curl</CopyButton>
          <CopyButton text={() => clientCallOf(request)}>Client call</CopyButton>
        </div>
        <WorkNote work={again} />
      </div>
      <Facts request={request} />
      <Phases request={request} />
      {request.caused.length > 0 && (
        <section class="message">
          <h3>Effects</h3>
          <Effects caused={request.caused} />
        </section>
      )}
      <Message title="Answer" message={request.answer} />
      <Message title="Request" message={request.request} />
    </article>
  );
}

/** What its work causes comes later. */
const FOLLOWED_MS = 30_000;
const LOOK_AGAIN_MS = 2000;

export function Inspector({ id, actions }: { readonly id: string; readonly actions: Actions }): JSX.Element {
  const openedMs = useMemo(() => Date.now(), [id]);
  const isWorkExpected = ({ caused }: RequestDetail) =>
    caused.some(({ kind }) => kind === "job") && Date.now() - openedMs < FOLLOWED_MS;
  const loaded = useAnswer(
    "medley.requests.get",
    { params: { id } },
    { everyMs: (request) => (isWorkExpected(request) ? LOOK_AGAIN_MS : undefined) },
  );
  return (
    <Shown of={loaded} leave={actions.onClose}>
      {(request) => <Detail key={request.id} request={request} actions={actions} />}
    </Shown>
  );
}
