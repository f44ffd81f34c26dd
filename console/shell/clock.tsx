/** The kernel's time at the top of the page, and whether it stands still. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../loading.ts";
import { Icon } from "../parts/icons.tsx";
import { momentText } from "../texts.ts";

const ASKED_EVERY_MS = 5000;
const TICK_MS = 1000;

/** Between two answers of the server it goes on by itself, unless time stands still there. */
export function Clock(): JSX.Element {
  const { data } = useAnswer("medley.clock.show", {}, { everyMs: ASKED_EVERY_MS });
  const [heard, setHeard] = useState(0);
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    setHeard(performance.now());
    setPassed(0);
  }, [data]);
  useEffect(() => {
    const timer = setInterval(() => setPassed(performance.now() - heard), TICK_MS);
    return () => clearInterval(timer);
  }, [heard]);
  // As wide as it will be.
  if (!data)
    return (
      <span class="clock awaited" aria-hidden="true">
        <Icon name="time" />
        <span>{momentText(new Date().toISOString())}</span>
      </span>
    );
  const now = data.frozen ? data.now : new Date(Date.parse(data.now) + passed).toISOString();
  return (
    <a
      class={data.frozen ? "clock frozen" : "clock"}
      href="/console/time"
      title={data.frozen ? "Time stands still" : "The kernel's time, in UTC"}
    >
      <Icon name={data.frozen ? "frozen" : "time"} />
      <span class="unseen">{data.frozen ? "Time stands still at" : "Time"}</span>
      <time dateTime={now}>{momentText(now)}</time>
      {data.frozen && <span class="wide">stands still</span>}
    </a>
  );
}
