/** The requests in a list that the arrow keys go through. */
import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Method, StatusTag } from "../../parts/basics.tsx";
import { memo } from "../../parts/memo.ts";
import { useWindow } from "../../parts/window.ts";
import { clockText, msText } from "../../texts.ts";
import type { RequestSummary } from "./live.ts";

const Row = memo(function Row({
  request,
  position,
  count,
  isChosen,
  onChoose,
}: {
  readonly request: RequestSummary;
  readonly position: number;
  readonly count: number;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
}): JSX.Element {
  return (
    <div
      id={`request-${request.id}`}
      class="request-row"
      role="option"
      aria-selected={isChosen}
      aria-posinset={position}
      aria-setsize={count}
      tabIndex={-1}
      onClick={() => onChoose(request.id)}
    >
      <StatusTag status={request.status} />
      <Method method={request.method} />
      <span class="url" title={request.url}>
        {request.url}
      </span>
      <span class="matched wide">{request.operation ?? ""}</span>
      <span class="ms wide">{msText(request.durationMs)}</span>
      <time dateTime={request.at}>{clockText(request.at)}</time>
    </div>
  );
});

const ROW_HEIGHT_REM = 2;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

export function RequestList({
  requests,
  chosen,
  onChoose,
  onLeave,
}: {
  readonly requests: readonly RequestSummary[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const count = requests.length;
  const { list, bringIntoView, from, to, room } = useWindow(count, ROW_HEIGHT_REM);
  const at = requests.findIndex(({ id }) => id === chosen);
  // Only when another is chosen: what arrives moves nobody's view.
  useLayoutEffect(() => bringIntoView(at), [chosen]);
  const onKey = (event: KeyboardEvent) => {
    const ends: Readonly<Record<string, number>> = { Home: 0, End: count - 1 };
    const step = STEPS[event.key];
    const to = step === undefined ? ends[event.key] : Math.max(0, Math.min(count - 1, at + step));
    if (event.key === "Escape") onLeave();
    const next = to === undefined ? undefined : requests[to];
    if (!next) return;
    event.preventDefault();
    onChoose(next.id);
  };
  return (
    <div
      class="request-list"
      role="listbox"
      aria-label="Requests"
      tabIndex={0}
      ref={list}
      onKeyDown={onKey}
      {...(at >= from && at < to && { "aria-activedescendant": `request-${chosen}` })}
    >
      <div role="presentation" style={room}>
        {requests.slice(from, to).map((request, index) => (
          <Row
            key={request.id}
            request={request}
            position={from + index + 1}
            count={count}
            isChosen={request.id === chosen}
            onChoose={onChoose}
          />
        ))}
      </div>
    </div>
  );
}
