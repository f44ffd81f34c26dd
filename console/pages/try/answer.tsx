/** What came of a request that was sent from here, as the inspector shows it. */
import type { JSX } from "preact";
import { useAnswer } from "../../loading.ts";
import { StatusTag } from "../../parts/basics.tsx";
import { BodyView, HeaderList } from "../../parts/bodies/body-view.tsx";
import { msText } from "../../texts.ts";
import { Effects, Phases } from "../requests/inspector.tsx";
import type { Tried } from "./form.tsx";

export function TriedAnswer({ tried }: { readonly tried: Tried }): JSX.Element {
  const id = tried.id ?? "";
  const { data } = useAnswer("medley.requests.get", { params: { id } }, { isWanted: id !== "" });
  const count = Object.keys(tried.answer.headers).length;
  return (
    <section class="inspector" aria-label="Answer">
      <div class="inspector-title">
        <StatusTag status={tried.status} />
        <h2>
          {tried.request.method} {tried.request.path.split("?")[0]}
        </h2>
        <span class="muted">{msText(tried.durationMs)}</span>
        {id !== "" && <a href={`/console/requests?id=${encodeURIComponent(id)}`}>Open in Requests</a>}
      </div>
      {data && <Phases request={data} />}
      {data && data.caused.length > 0 && (
        <section class="message">
          <h3>What came of it</h3>
          <Effects caused={data.caused} />
        </section>
      )}
      <section class="message">
        <h3>Answer</h3>
        <BodyView body={tried.answer} label="Answer body" />
        <details>
          <summary>{count === 1 ? "1 header" : `${count} headers`}</summary>
          <HeaderList headers={tried.answer.headers} />
        </details>
      </section>
      <details>
        <summary>What was sent</summary>
        <HeaderList headers={tried.request.headers} />
      </details>
    </section>
  );
}
