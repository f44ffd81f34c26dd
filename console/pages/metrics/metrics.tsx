/** The last hour by the server's own figures: requests, errors and latency of each service, and how the process is. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answers } from "../../generated/operations.ts";
import { useAnswer } from "../../loading.ts";
import { Page, Section, Shown } from "../../parts/basics.tsx";
import { Chart } from "../../parts/chart.tsx";
import { ColumnsMenu, useColumns } from "../../parts/columns-menu.tsx";
import { ServiceField } from "../../parts/service-field.tsx";
import { type Column, Table, titlesOf } from "../../parts/table.tsx";
import { useServices } from "../../services.ts";
import { bytesText, countText, msText } from "../../texts.ts";

type Figures = Answers["medley.figures"];
type OfService = Figures["services"][string];

/** Counts are added up; of latencies the worst service counts. */
function allTogether({ services, minutes }: Figures): OfService {
  const all = Object.values(services);
  const add = (pick: (one: OfService) => readonly (number | null)[]) =>
    minutes.map((_minute, at) => all.reduce((sum, one) => sum + (pick(one)[at] ?? 0), 0));
  const worst = (pick: (one: OfService) => readonly (number | null)[]) =>
    minutes.map((_minute, at) => {
      const known = all.map((one) => pick(one)[at] ?? null).filter((value) => value !== null);
      return known.length === 0 ? null : Math.max(...known);
    });
  return {
    requests: add((one) => one.requests),
    errors: add((one) => one.errors),
    p50Ms: worst((one) => one.p50Ms),
    p95Ms: worst((one) => one.p95Ms),
    p99Ms: worst((one) => one.p99Ms),
  } as OfService;
}

function ServiceCharts({
  figures,
  service,
}: {
  readonly figures: Figures;
  readonly service: string;
}): JSX.Element {
  const { minutes } = figures;
  const of = service === "" ? allTogether(figures) : figures.services[service];
  if (!of) return <p class="muted">No requests in the last hour.</p>;
  return (
    <div class="charts">
      <Chart
        title="Requests a minute"
        times={minutes}
        show={countText}
        isWhole
        lines={[
          { name: "all", tone: "main", values: of.requests },
          { name: "errors", tone: "bad", values: of.errors },
        ]}
      />
      <Chart
        title={service === "" ? "Latency of the slowest service" : "Latency"}
        times={minutes}
        show={msText}
        lines={[
          { name: "median", tone: "main", values: of.p50Ms },
          { name: "p95", tone: "second", values: of.p95Ms },
          { name: "p99", tone: "bad", values: of.p99Ms },
        ]}
      />
    </div>
  );
}

type ServiceRow = {
  readonly name: string;
  readonly title: string;
  readonly requests: number;
  readonly errors: number;
  readonly slow: number;
};
const columns: readonly Column<ServiceRow>[] = [
  {
    title: "Service",
    value: ({ title }) => title,
    cell: ({ name, title }) => <a href={`/console/requests?service=${name}`}>{title}</a>,
  },
  { title: "Requests", value: ({ requests }) => requests, cell: ({ requests }) => countText(requests) },
  { title: "Errors", value: ({ errors }) => errors, cell: ({ errors }) => countText(errors) },
  { title: "Worst p95", value: ({ slow }) => slow, cell: ({ slow }) => msText(slow) },
];
const TITLE = "By service";

function ServiceTable({ figures }: { readonly figures: Figures }): JSX.Element {
  const services = useServices();
  const kept = useColumns("metrics");
  const sum = (values: readonly (number | null)[]) =>
    values.reduce<number>((whole, value) => whole + (value ?? 0), 0);
  const worst = (values: readonly (number | null)[]) => Math.max(0, ...values.map((value) => value ?? 0));
  const rows = services.flatMap(({ name, title }): ServiceRow[] => {
    const one = figures.services[name];
    return one
      ? [{ name, title, requests: sum(one.requests), errors: sum(one.errors), slow: worst(one.p95Ms) }]
      : [];
  });
  if (rows.length === 0) return <p class="quiet-note">No requests in the last hour.</p>;
  return (
    <Section title={TITLE} actions={<ColumnsMenu title={TITLE} columns={titlesOf(columns)} kept={kept} />}>
      <div class="panel scroller rows" tabIndex={0} role="region" aria-label={TITLE}>
        <Table rows={rows} columns={columns} kept={kept} />
      </div>
    </Section>
  );
}

export default function Metrics(): JSX.Element {
  const [service, setService] = useState("");
  const loaded = useAnswer("medley.figures", { query: {} }, { everyMs: 5000 });
  const single = (
    title: string,
    values: readonly (number | null)[],
    times: readonly string[],
    show: (value: number) => string,
    isWhole = false,
  ) => (
    <Chart
      title={title}
      times={times}
      show={show}
      isWhole={isWhole}
      lines={[{ name: title, tone: "main", values }]}
    />
  );
  return (
    <Page
      title="Metrics"
      lead={
        <>
          The last hour, by the server's own figures. For Prometheus: <code>/_medley/metrics</code>
        </>
      }
      actions={<ServiceField isHidden value={service} onInput={setService} />}
    >
      <Shown of={loaded} rows={10}>
        {(figures) => (
          <>
            <ServiceCharts figures={figures} service={service} />
            <Section title="The process">
              <div class="charts">
                {single("Delay of the event loop", figures.process.eventLoopDelayMs, figures.minutes, msText)}
                {single("Memory", figures.process.residentBytes, figures.minutes, bytesText)}
                {single("Database", figures.process.databaseBytes, figures.minutes, bytesText)}
                {single("Jobs waiting", figures.process.jobsWaiting, figures.minutes, countText, true)}
              </div>
            </Section>
            <ServiceTable figures={figures} />
          </>
        )}
      </Shown>
    </Page>
  );
}
