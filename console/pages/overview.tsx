/** What runs here, at a glance, and where to begin when there is nothing yet. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type SignedIn, session } from "../api.ts";
import { useAnswer } from "../loading.ts";
import { Method, Page, Section, Shown, StatusTag } from "../parts/basics.tsx";
import { Icon } from "../parts/icons.tsx";
import { Seeding } from "../parts/seeding.tsx";
import { servicePath, useServices } from "../services.ts";
import { useStore } from "../store.ts";
import { clockText, counted, msText } from "../texts.ts";
import { summariesOf } from "./requests/live.ts";

const LATEST = 8;

function Latest(): JSX.Element {
  const loaded = useAnswer(
    "medley.requests.list",
    { query: { limit: LATEST, console: false, bodies: false } },
    { everyMs: 3000 },
  );
  return (
    <Section title="Latest requests" actions={<a href="/console/requests">All of them</a>}>
      <div class="panel latest">
        <Shown of={loaded} rows={LATEST}>
          {(answer) =>
            answer.requests.length === 0 ? (
              <p class="quiet-note">No requests yet. Load the demo data, or send a request to any service.</p>
            ) : (
              <ul class="lines">
                {summariesOf(answer).map(({ id, status, method, url, durationMs, at }) => (
                  <li key={id}>
                    <StatusTag status={status} /> <Method method={method} />
                    <a class="url" href={`/console/requests?id=${encodeURIComponent(id)}`} title={url}>
                      {url}
                    </a>
                    <span class="muted wide">{msText(durationMs)}</span>
                    <time class="muted" dateTime={at}>
                      {clockText(at)}
                    </time>
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </div>
    </Section>
  );
}

const Begin = ({ onSeeded }: { readonly onSeeded: () => void }): JSX.Element => (
  <div class="card begin">
    <Icon name="seed" />
    <div class="grow">
      <h2>Nothing here yet</h2>
      <p class="muted">Load the demo data: a few resources of every service to try things with.</p>
    </div>
    <Seeding onSeeded={onSeeded} />
  </div>
);

function AtAGlance({ who }: { readonly who: SignedIn }): JSX.Element {
  const services = useServices();
  return (
    <>
      <Latest />
      <Section title="Services">
        <ul class="tiles">
          {services.map(({ name, title, summary, mount, operations: count }) => (
            <li key={name} class="tile">
              <a href={servicePath(name, who)}>{title}</a>
              <p class="muted">{summary}</p>
              <p class="tile-foot">
                <code>{mount}</code> <span class="muted">{counted(count, "operation")}</span>
              </p>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

export default function Overview(): JSX.Element {
  const who = useStore(session) as SignedIn;
  const services = useServices();
  const promised = services.filter(({ contract }) => contract !== undefined);
  const operations = promised.reduce((sum, service) => sum + service.operations, 0);
  // Known with the session, so that nothing is pushed aside later; then asked again, because it may have changed since.
  const first = useAnswer("medley.resources.list", { query: { limit: 1 } }, { isWanted: who.admin });
  const hasResources = first.data ? first.data.resources.length > 0 : who.hasResources;
  useEffect(() => {
    if (hasResources !== who.hasResources) session.set({ ...who, hasResources });
  }, [hasResources]);
  return (
    <Page
      title={`${counted(promised.length, "service")}, ${counted(operations, "operation")}, one process`}
      lead={
        <>
          Everything answers at <code>{location.origin}</code>. State is real: schedules fire, queries are
          evaluated, credentials are verified.
        </>
      }
    >
      {who.admin && !hasResources && <Begin onSeeded={first.reload} />}
      <AtAGlance who={who} />
    </Page>
  );
}
