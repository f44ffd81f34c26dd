/** Two requests against each other: what differs in address, headers and bodies. */
import type { JSX } from "preact";
import { useAnswer } from "../../loading.ts";
import { Button, Method, Shown, StatusTag } from "../../parts/basics.tsx";
import { readable } from "../../parts/bodies/body-view.tsx";
import { DifferenceView } from "../../parts/bodies/difference-view.tsx";
import { setQuery } from "../../router.ts";
import { clockText, msText } from "../../texts.ts";
import type { RequestDetail } from "./sent.ts";

const headersText = ({ headers }: RequestDetail["answer"]): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .sort()
    .join("\n");

const Head = ({ request, name }: { readonly request: RequestDetail; readonly name: string }): JSX.Element => (
  <p class="compared">
    <b>{name}</b> <StatusTag status={request.status} /> <Method method={request.method} />
    <span class="mono break">{request.url}</span>
    <small class="muted">
      {clockText(request.at)}, {msText(request.durationMs)}
    </small>
  </p>
);

function Both({ left, right }: { readonly left: RequestDetail; readonly right: RequestDetail }): JSX.Element {
  const parts = [
    ["Answer", readable(left.answer).text, readable(right.answer).text],
    ["Headers of the answer", headersText(left.answer), headersText(right.answer)],
    [
      "Request",
      `${left.method} ${left.url}\n${readable(left.request).text}`,
      `${right.method} ${right.url}\n${readable(right.request).text}`,
    ],
    ["Headers of the request", headersText(left.request), headersText(right.request)],
  ] as const;
  return (
    <>
      <Head request={left} name="First" />
      <Head request={right} name="Second" />
      {parts.map(([title, first, second]) => (
        <section class="message" key={title}>
          <h3>{title}</h3>
          <DifferenceView left={first} right={second} label={title} />
        </section>
      ))}
    </>
  );
}

export function Comparison({
  left,
  right,
  onClose,
}: {
  readonly left: string;
  readonly right: string;
  readonly onClose: () => void;
}): JSX.Element {
  const first = useAnswer("medley.requests.get", { params: { id: left } });
  const second = useAnswer("medley.requests.get", { params: { id: right } });
  return (
    <article class="inspector" aria-label="Comparison of two requests">
      <div class="inspector-title">
        <h2>Comparison</h2>
        <Button onClick={() => setQuery({ id: left, against: undefined })}>Back to the first</Button>
        <Button kind="bare" icon="close" label="Close the comparison" onClick={onClose} />
      </div>
      <Shown of={first}>{(a) => <Shown of={second}>{(b) => <Both left={a} right={b} />}</Shown>}</Shown>
    </article>
  );
}
