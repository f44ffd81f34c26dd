/** One resource: what is known of it, its tags, its history, what it refers to, and the way to delete it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call, Problem, type SignedIn, session } from "../../api.ts";
import type { Answers } from "../../generated/operations.ts";
import { useAnswer, useWork } from "../../loading.ts";
import { Button, Shown, Tag, WorkNote } from "../../parts/basics.tsx";
import { Code } from "../../parts/bodies/body-view.tsx";
import { Confirmation } from "../../parts/dialog.tsx";
import { Fact } from "../../parts/facts.tsx";
import { viewAddress } from "../../parts/view-rows.tsx";
import { setQuery } from "../../router.ts";
import { servicePath, useServices } from "../../services.ts";
import { useStore } from "../../store.ts";
import { momentText } from "../../texts.ts";

type Detail = Answers["medley.resources.one"];
/** What others say of it is no part of the resource itself. */
const jsonOf = ({
  refersTo: _to,
  referredBy: _by,
  history: _history,
  related: _related,
  can: _can,
  ...resource
}: Detail) => resource;

const REFUSED_FROM = 400;
/** What its service answered last decides. */
function refuseFailures({ calls }: Answers["medley.resources.tag"]): void {
  const last = calls.at(-1);
  if (last && last.status >= REFUSED_FROM)
    throw new Problem(
      last.status,
      "Refused",
      `The service refused it with ${last.status}: ${last.answer.body ?? ""}`,
    );
}

function TagEditor({
  resource,
  onChange,
}: {
  readonly resource: Detail;
  readonly onChange: () => void;
}): JSX.Element {
  const [rows, setRows] = useState<readonly (readonly [string, string])[]>(() =>
    Object.entries(resource.tags),
  );
  const isSame = JSON.stringify(rows) === JSON.stringify(Object.entries(resource.tags));
  const work = useWork(async () => {
    const tags = Object.fromEntries(rows.filter(([name]) => name.trim() !== ""));
    refuseFailures(await call("medley.resources.tag", { body: { arn: resource.arn, tags } }));
    onChange();
  });
  const change = (at: number, row: readonly [string, string]) =>
    setRows(rows.map((one, index) => (index === at ? row : one)));
  return (
    <section class="message">
      <h3>Tags</h3>
      <form
        class="tag-rows"
        onSubmit={(event) => {
          event.preventDefault();
          void work.run();
        }}
      >
        {rows.map(([name, value], at) => (
          <div class="tag-row" key={at}>
            <input
              aria-label="Name of the tag"
              maxLength={128}
              value={name}
              onInput={(event) => change(at, [event.currentTarget.value, value])}
            />
            <input
              aria-label={`Value of ${name || "the tag"}`}
              maxLength={256}
              value={value}
              onInput={(event) => change(at, [name, event.currentTarget.value])}
            />
            <Button
              kind="bare"
              icon="bin"
              label={`Remove ${name || "the tag"}`}
              onClick={() => setRows(rows.filter((_row, index) => index !== at))}
            />
          </div>
        ))}
        <div class="row tight-row">
          <Button icon="add" onClick={() => setRows([...rows, ["", ""]])}>
            Tag
          </Button>
          {!isSame && (
            <Button type="submit" kind="main" isBusy={work.isBusy}>
              Save the tags
            </Button>
          )}
        </div>
      </form>
      <WorkNote work={work} />
    </section>
  );
}

/** Of what cannot be tagged. */
const TagList = ({ tags }: { readonly tags: Detail["tags"] }): JSX.Element | null =>
  Object.keys(tags).length === 0 ? null : (
    <section class="message">
      <h3>Tags</h3>
      <p class="tags">
        {Object.entries(tags).map(([name, value]) => (
          <Tag key={name}>{value === "" ? name : `${name}=${value}`}</Tag>
        ))}
      </p>
    </section>
  );

const Links = ({
  title,
  links,
}: {
  readonly title: string;
  readonly links: Detail["refersTo"];
}): JSX.Element | null =>
  links.length === 0 ? null : (
    <section class="message">
      <h3>{title}</h3>
      <ul class="effects">
        {links.map(({ arn, name, type }) => (
          <li key={arn}>
            <a href={`/console/resources?arn=${encodeURIComponent(arn)}`}>{name}</a> <small>{type}</small>
          </li>
        ))}
      </ul>
    </section>
  );

/** Of what is no resource of its own: the table that shows it. */
const Rows = ({
  title,
  rows,
}: {
  readonly title: string;
  readonly rows: NonNullable<Detail["related"][number]["rows"]>;
}): JSX.Element => (
  <section class="message">
    <h3>{title}</h3>
    <p>
      <a href={viewAddress(rows.service, rows.view, rows.text)}>
        {rows.view} with {rows.text}
      </a>
    </p>
  </section>
);

function History({ history }: { readonly history: Detail["history"] }): JSX.Element | null {
  if (history.length === 0) return null;
  return (
    <section class="message">
      <h3>History</h3>
      <ol class="panel lines">
        {history.map(({ change, at, request, job }, index) => (
          <li key={index}>
            <span class="grow">{change}</span>
            {at !== undefined && <time dateTime={at}>{momentText(at)}</time>}
            {request !== undefined && (
              <a href={`/console/requests?id=${encodeURIComponent(request)}`}>Request</a>
            )}
            {job !== undefined && <a href={`/console/jobs?id=${encodeURIComponent(job)}`}>Job</a>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Deletion({
  resource,
  onClose,
  onDone,
}: {
  readonly resource: Detail;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const work = useWork(async () => {
    refuseFailures(await call("medley.resources.delete", { body: { arn: resource.arn } }));
    onDone();
  });
  return (
    <Confirmation title={`Delete ${resource.name}?`} verb="Delete it" work={work} onClose={onClose}>
      <p>
        <code>{resource.arn}</code> is deleted by its service, as if your program had asked for it. This
        cannot be undone.
      </p>
    </Confirmation>
  );
}

function Whole({
  resource,
  onChange,
  onGone,
}: {
  readonly resource: Detail;
  readonly onChange: () => void;
  readonly onGone: () => void;
}): JSX.Element {
  const [isDeleting, setDeleting] = useState(false);
  const who = useStore(session) as SignedIn;
  const isOfService = useServices().some(({ name }) => name === resource.service);
  return (
    <article class="inspector" aria-label={`Resource ${resource.name}`}>
      <div class="inspector-title">
        <h2 class="break">{resource.name}</h2>
        {resource.external && <Tag>registered</Tag>}
        <Button
          kind="bare"
          icon="close"
          label="Close this resource"
          onClick={() => setQuery({ arn: undefined })}
        />
      </div>
      <div class="row tight-row">
        {isOfService && (
          <a class="button quiet" href={servicePath(resource.service, who)}>
            Service
          </a>
        )}
        <a
          class="button quiet"
          href={`/console/requests?text=${encodeURIComponent(resource.nativeId ?? resource.name)}`}
        >
          Requests about it
        </a>
        {resource.can.delete && (
          <Button kind="danger" icon="bin" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )}
      </div>
      <dl class="fact-row">
        <Fact name="Type" value={resource.type} />
        <Fact name="Region" value={resource.region} />
        {resource.createdAt !== undefined && <Fact name="Made" value={momentText(resource.createdAt)} />}
        {resource.updatedAt !== undefined && <Fact name="Changed" value={momentText(resource.updatedAt)} />}
      </dl>
      <p class="mono break small muted">{resource.arn}</p>
      {resource.can.tag ? (
        <TagEditor key={JSON.stringify(resource.tags)} resource={resource} onChange={onChange} />
      ) : (
        <TagList tags={resource.tags} />
      )}
      {resource.related.map(({ title, links, rows }) =>
        rows ? (
          who.admin && <Rows key={title} title={title} rows={rows} />
        ) : (
          <Links key={title} title={title} links={links} />
        ),
      )}
      <Links title="Refers to" links={resource.refersTo} />
      <Links title="Referred to by" links={resource.referredBy} />
      <History history={resource.history} />
      <section class="message">
        <h3>JSON</h3>
        <Code text={JSON.stringify(jsonOf(resource), null, 2)} language="json" label="JSON" />
      </section>
      {isDeleting && <Deletion resource={resource} onClose={() => setDeleting(false)} onDone={onGone} />}
    </article>
  );
}

export function ResourceDetail({
  arn,
  onChange,
}: {
  readonly arn: string;
  readonly onChange: () => void;
}): JSX.Element {
  const loaded = useAnswer("medley.resources.one", { query: { arn } });
  const refresh = () => {
    loaded.reload();
    onChange();
  };
  const leave = () => {
    setQuery({ arn: undefined });
    onChange();
  };
  return (
    <Shown of={loaded} leave={leave}>
      {(resource) => <Whole key={resource.arn} resource={resource} onChange={refresh} onGone={leave} />}
    </Shown>
  );
}
