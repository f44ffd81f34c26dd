/** Every operation with a form of its own: chosen at the left, filled in and sent, the answer below. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Empty, Method, Page, Shown } from "../../parts/basics.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { go, useAddress } from "../../router.ts";
import { useServices } from "../../services.ts";
import { EditRequest } from "./again.tsx";
import { TriedAnswer } from "./answer.tsx";
import type { ServiceDocument } from "./described.ts";
import { useDocument } from "./document.ts";
import { OperationForm, type Tried } from "./form.tsx";

/** Several forms of the same name are told apart by their paths. */
function sharedSummaries({ callables }: ServiceDocument): (summary: string) => boolean {
  const counts = new Map<string, number>();
  for (const { operation } of callables)
    counts.set(operation.summary, (counts.get(operation.summary) ?? 0) + 1);
  return (summary) => (counts.get(summary) ?? 0) > 1;
}

function Operations({
  document,
  chosen,
}: {
  readonly document: ServiceDocument;
  readonly chosen: string | null;
}): JSX.Element {
  const [text, setText] = useState("");
  const wanted = text.toLowerCase();
  const isShared = sharedSummaries(document);
  const shown = document.callables.filter(({ path, operation }) =>
    `${operation.operationId} ${path} ${operation.summary}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <TextField
        label="Find an operation"
        isHidden
        type="search"
        placeholder="Find an operation"
        value={text}
        onInput={setText}
      />
      <ul class="operations">
        {shown.map(({ method, path, operation }) => (
          <li key={operation.operationId}>
            <a
              href={`/console/try?operation=${encodeURIComponent(operation.operationId)}`}
              title={path}
              {...(operation.operationId === chosen && { "aria-current": "true" as const })}
            >
              <Method method={method} />
              <span>
                {operation.summary}
                {isShared(operation.summary) && <small class="mono">{path}</small>}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function Chosen({
  document,
  operationId,
  onAnswer,
}: {
  readonly document: ServiceDocument;
  readonly operationId: string | null;
  readonly onAnswer: (tried: Tried) => void;
}): JSX.Element {
  const callable = document.callables.find(({ operation }) => operation.operationId === operationId);
  if (!callable)
    return (
      <Empty icon="try" title={operationId === null ? "Choose an operation" : "There is no such operation"}>
        <p>
          {operationId !== null && "Choose another. "}Its form is filled with examples; the server adds the
          credential of your account.
        </p>
      </Empty>
    );
  return (
    <OperationForm key={operationId} callable={callable} resolve={document.resolve} onAnswer={onAnswer} />
  );
}

export default function Try(): JSX.Element {
  const { query } = useAddress();
  const services = useServices();
  const operationId = query.get("operation");
  const requestId = query.get("request");

  const service = query.get("service") ?? operationId?.split(".")[0] ?? services[0]?.name;
  const document = useDocument(service);
  const [answered, setAnswered] = useState<{ of: string; tried: Tried }>();
  const place = useRef<HTMLDivElement>(null);
  const key = requestId ?? operationId ?? "";
  useEffect(() => {
    if (answered) place.current?.scrollIntoView({ block: "nearest" });
  }, [answered]);
  const onAnswer = (tried: Tried) => setAnswered({ of: key, tried });
  return (
    <Page isFull title="Try it">
      <div class="split try">
        <div class="try-list">
          <SelectField
            label="Service"
            isHidden
            value={service ?? ""}
            onInput={(name) => go(`/console/try?service=${name}`)}
            choices={services.map(({ name, title }) => [name, title] as const)}
          />
          {!document.problem && (
            <Shown of={document} rows={12}>
              {(found) => <Operations key={service} document={found} chosen={operationId} />}
            </Shown>
          )}
        </div>
        <div class="beside try-form">
          {requestId ? (
            <EditRequest id={requestId} onAnswer={onAnswer} />
          ) : (
            <Shown of={document} rows={10}>
              {(found) => <Chosen document={found} operationId={operationId} onAnswer={onAnswer} />}
            </Shown>
          )}
          <div ref={place} role="status">
            {answered?.of === key && <TriedAnswer key={answered.tried.id} tried={answered.tried} />}
          </div>
        </div>
      </div>
    </Page>
  );
}
