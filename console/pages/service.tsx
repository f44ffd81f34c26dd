/** One service: what it holds at the moment, its own pages, and the way to its documentation. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../loading.ts";
import { CopyButton, Empty, Page, Shown } from "../parts/basics.tsx";
import { Seeding } from "../parts/seeding.tsx";
import { RowDetail, ViewTable } from "../parts/view-table.tsx";
import { useAddress } from "../router.ts";
import { pageHref, type ServiceSummary, useServices } from "../services.ts";

const ROWS = 200;

const NoTables = ({ name }: { readonly name: string }): JSX.Element => (
  <Empty icon="search" title="This service has no tables">
    <p>
      <a href={`/console/try?service=${name}`}>Try its operations</a>, or look through{" "}
      <a href="/console/resources">all resources</a>.
    </p>
  </Empty>
);

function Views({ service }: { readonly service: ServiceSummary }): JSX.Element {
  const { name, hasDemoData } = service;
  const { query } = useAddress();
  const loaded = useAnswer(
    "medley.views",
    { params: { service: name }, query: { limit: ROWS } },
    { everyMs: 5000 },
  );
  const [opened, setOpened] = useState<{ view: string; row: string; name: string }>();
  return (
    <Shown of={loaded} rows={8}>
      {({ views }) => (
        <>
          {views.every(({ rows }) => rows.length === 0) && (
            <Empty icon="seed" title="Nothing here yet">
              {hasDemoData ? (
                <>
                  <p>Call the service, or load its demo data.</p>
                  <Seeding services={[name]} onSeeded={loaded.reload} />
                  <p>
                    <code>npx medley seed {name}</code>{" "}
                    <CopyButton text={() => `npx medley seed ${name}`} label="Copy the command" />
                  </p>
                </>
              ) : (
                <p>
                  <a href={`/console/try?service=${name}`}>Call the service</a>, and what it makes is shown
                  here.
                </p>
              )}
            </Empty>
          )}
          {views.map((view) => (
            <ViewTable
              key={view.title}
              view={view}
              service={name}
              sought={query.get("view") === view.title ? (query.get("text") ?? undefined) : undefined}
              onOpen={(title, row, shown) => setOpened({ view: title, row, name: shown })}
            />
          ))}
          {opened && <RowDetail service={name} {...opened} onClose={() => setOpened(undefined)} />}
        </>
      )}
    </Shown>
  );
}

export default function ServicePage(): JSX.Element {
  const { path } = useAddress();
  const name = decodeURIComponent(path.split("/")[3] ?? "");
  const service = useServices().find((one) => one.name === name);
  useEffect(() => {
    document.title = `${service?.title ?? name} · Medley`;
  }, [service, name]);
  if (!service)
    return (
      <Empty icon="search" title="There is no such service">
        <p>
          <a href="/console">To the overview</a>
        </p>
      </Empty>
    );
  return (
    <Page
      title={service.title}
      lead={
        <>
          {service.summary}{" "}
          <span class="mount">
            Mounted at <code>{service.mount}</code>
          </span>
        </>
      }
      actions={
        <>
          {service.pages.map((page) => (
            <a key={page.path} class="button quiet" href={pageHref(service, page)} title={page.summary}>
              {page.title}
            </a>
          ))}
          <a class="button quiet" href={`/console/try?service=${name}`}>
            Try it
          </a>
          <a class="button quiet" href={`/console/requests?service=${name}`}>
            Requests
          </a>
          <a class="button quiet" href={`/console/docs/${name}`}>
            Documentation
          </a>
        </>
      }
    >
      {service.hasTables ? <Views service={service} /> : <NoTables name={name} />}
    </Page>
  );
}
