/** Durable work by its state: what waits, what failed and why; to be tried again or called off. */
import type { JSX } from "preact";
import { call } from "../../api.ts";
import type { Answers } from "../../generated/operations.ts";
import { useAnswer, useChange, useWork, type Work } from "../../loading.ts";
import { Button, Empty, Page, Shown, WorkNote } from "../../parts/basics.tsx";
import { Code } from "../../parts/bodies/body-view.tsx";
import { State } from "../../parts/cells.tsx";
import { ColumnsMenu, useColumns } from "../../parts/columns-menu.tsx";
import { Fact } from "../../parts/facts.tsx";
import { Check, TextField } from "../../parts/fields.tsx";
import { NothingFits } from "../../parts/nothing-fits.tsx";
import { usePages } from "../../parts/paged.ts";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Seeding } from "../../parts/seeding.tsx";
import { Segments } from "../../parts/segments.tsx";
import { ServiceField } from "../../parts/service-field.tsx";
import { Split } from "../../parts/split.tsx";
import { type Column, titlesOf } from "../../parts/table.tsx";
import { Timeline } from "../../parts/widgets/timeline.tsx";
import { setQuery, useAddress } from "../../router.ts";
import { countText, momentText } from "../../texts.ts";
import { capitalized } from "../../words.ts";
import { Effects } from "../requests/inspector.tsx";

type JobDetail = Answers["medley.jobs.get"];
type Job = Answers["medley.jobs.list"]["jobs"][number];
const STATES = ["waiting", "running", "failed", "done"] as const;
const UNDER_WAY: ReadonlySet<string> = new Set(["waiting", "running"]);
const LOOK_AGAIN_MS = 1000;
const ROWS = 100;

const columns: readonly Column<Job>[] = [
  { title: "Job", value: ({ job }) => job },
  { title: "State", value: ({ state }) => state },
  { title: "Due", value: ({ runAt }) => runAt, isWide: true },
  { title: "Attempts", value: ({ attempts }) => attempts, isWide: true },
  { title: "Account", value: ({ account }) => account, isWide: true },
  { title: "Error", value: ({ error }) => error, isWide: true },
  { title: "Id", value: ({ id }) => id, isWide: true },
];

/** Room for the number is there before it is. */
const Counted = ({
  name,
  count,
}: {
  readonly name: string;
  readonly count: number | undefined;
}): JSX.Element => (
  <>
    {capitalized(name)} <span class="count">{count === undefined ? "" : countText(count)}</span>
  </>
);

type Change = Work<readonly [verb: "medley.jobs.retry" | "medley.jobs.cancel"]>;
/** What can be done with it now. */
const Actions = ({ job, change }: { readonly job: JobDetail; readonly change: Change }): JSX.Element => (
  <div class="row tight-row">
    {(job.state === "failed" || job.state === "waiting") && (
      <Button icon="again" isBusy={change.isBusy} onClick={() => void change.run("medley.jobs.retry")}>
        {job.state === "failed" ? "Try again" : "Run now"}
      </Button>
    )}
    {job.state === "waiting" && (
      <Button kind="danger" isBusy={change.isBusy} onClick={() => void change.run("medley.jobs.cancel")}>
        Cancel it
      </Button>
    )}
  </div>
);

const close = () => setQuery({ id: undefined });

function Detail({ id, onChange }: { readonly id: string; readonly onChange: () => void }): JSX.Element {
  const loaded = useAnswer(
    "medley.jobs.get",
    { params: { id } },
    { everyMs: ({ state }) => (UNDER_WAY.has(state) ? LOOK_AGAIN_MS : undefined) },
  );
  useChange(loaded.data?.state, onChange);
  const change = useWork(async (verb: "medley.jobs.retry" | "medley.jobs.cancel") => {
    const answered = await call(verb, { params: { id } });
    if (verb === "medley.jobs.cancel") close();
    // Of planned work a copy runs now: what becomes of that is shown.
    else if (answered && answered.id !== id) setQuery({ id: answered.id });
    else loaded.reload();
    onChange();
  });
  return (
    <Shown of={loaded} leave={close}>
      {(job) => (
        <article class="inspector" aria-label={`Job ${job.job}`}>
          <div class="inspector-title">
            <State word={job.state} />
            <h2>{job.job}</h2>
            <Button kind="bare" icon="close" label="Close this job" onClick={close} />
          </div>
          <Actions job={job} change={change} />
          <WorkNote work={change} />
          <dl class="fact-row">
            <Fact name="Service" value={job.service} />
            <Fact name="Account" value={job.account} />
            <Fact name="Due" value={momentText(job.runAt)} />
            <Fact name="Made" value={momentText(job.createdAt)} />
            {job.finishedAt && <Fact name="Ended" value={momentText(job.finishedAt)} />}
            <Fact name="Attempts" value={String(job.attempts)} />
          </dl>
          {job.error && (
            <section class="message">
              <h3>Error</h3>
              <Code text={job.error} language="none" label="Error" />
            </section>
          )}
          {job.caused.length > 0 && (
            <section class="message">
              <h3>Effects</h3>
              <Effects caused={job.caused} />
            </section>
          )}
          <section class="message">
            <h3>Payload</h3>
            <Code text={JSON.stringify(job.payload, null, 2)} language="json" label="Payload" />
          </section>
        </article>
      )}
    </Shown>
  );
}

const Filters = ({
  filter,
  counts,
}: {
  readonly filter: Readonly<Record<"state" | "service" | "kind" | "housekeeping", string>>;
  readonly counts: Answers["medley.jobs.counts"] | undefined;
}): JSX.Element => (
  <div class="filters">
    <Segments
      label="State"
      choices={[
        ["", "All"],
        ...STATES.map((name) => [name, <Counted key={name} name={name} count={counts?.[name]} />] as const),
      ]}
      value={filter.state}
      onInput={(value) => setQuery({ state: value })}
    />
    <ServiceField isHidden value={filter.service} onInput={(value) => setQuery({ service: value })} />
    <TextField
      label="Kind of job"
      isHidden
      type="search"
      placeholder="Kind of job"
      value={filter.kind}
      onInput={(value) => setQuery({ kind: value })}
    />
    <Check
      label="With housekeeping"
      value={filter.housekeeping !== ""}
      onInput={(isOn) => setQuery({ housekeeping: isOn ? "true" : undefined })}
    />
  </div>
);

export default function Jobs(): JSX.Element {
  const { query } = useAddress();
  const filter = {
    state: query.get("state") ?? "",
    service: query.get("service") ?? "",
    kind: query.get("kind") ?? "",
    housekeeping: query.get("housekeeping") ?? "",
  };
  // A kind that was asked for by name is shown, whatever it is.
  const housekeeping = filter.housekeeping !== "" || filter.kind !== "";
  const paged = usePages("medley.jobs.list", { ...filter, housekeeping, limit: ROWS }, ({ jobs }) => jobs);
  const counts = useAnswer(
    "medley.jobs.counts",
    { query: { service: filter.service || undefined, housekeeping } },
    { everyMs: 5000 },
  );
  const chosen = query.get("id") ?? undefined;
  const kept = useColumns("jobs");
  const isFiltered = Object.values(filter).some((word) => word !== "");
  const refresh = () => {
    paged.reload();
    counts.reload();
  };
  return (
    <Page
      isFull
      title="Jobs"
      actions={
        <>
          <ColumnsMenu title="Jobs" columns={titlesOf(columns)} kept={kept} />
          <Button icon="again" onClick={refresh}>
            Refresh
          </Button>
        </>
      }
    >
      <Filters filter={filter} counts={counts.data} />
      {/* Closed at first: nothing moves while the page loads. */}
      <details class="fold">
        <summary>On a timeline</summary>
        <Timeline
          title="Jobs by the time they are due"
          events={(paged.rows ?? []).map(({ job, runAt, state }) => ({ at: runAt, text: job, state }))}
        />
      </details>
      <Split detail={chosen && <Detail key={chosen} id={chosen} onChange={refresh} />}>
        <PagedTable
          label="Jobs"
          paged={paged}
          columns={columns}
          kept={kept}
          keyOf={(job) => job.id}
          chosen={chosen}
          onChoose={(id) => setQuery({ id })}
          empty={
            isFiltered ? (
              <NothingFits icon="jobs" words={Object.keys(filter)} />
            ) : (
              <Empty icon="jobs" title="No jobs yet">
                <p>Services do work in jobs: provisioning, schedules, deliveries.</p>
                <Seeding onSeeded={refresh} />
              </Empty>
            )
          }
        />
      </Split>
    </Page>
  );
}
