/** The kernel's time at the top of the page, and whether it is frozen or is being moved. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Answers } from "../generated/operations.ts";
import { useAnswer } from "../loading.ts";
import { Icon } from "../parts/icons.tsx";
import { kernelTime, timeZone } from "../parts/kernel-time.ts";
import { useStore } from "../store.ts";
import { momentText } from "../texts.ts";

const ASKED_EVERY_MS = 5000;
const ASKED_MOVING_MS = 1000;
const TICK_MS = 1000;

/** While it is being moved, it stands at one instant after the other. */
function stateOf({ frozen, journey }: Answers["medley.clock.show"]) {
  if (journey)
    return {
      kind: "moving",
      icon: "time",
      title: "Time is being moved",
      note: `${journey.percent} %`,
    } as const;
  if (frozen) return { kind: "frozen", icon: "frozen", title: "Time is frozen", note: "frozen" } as const;
  return { kind: "running", icon: "time", title: "The kernel's time", note: undefined } as const;
}

/** Between two answers of the server it goes on by itself, unless time is frozen there. */
export function Clock(): JSX.Element {
  const { data } = useAnswer(
    "medley.clock.show",
    {},
    {
      everyMs: ({ journey }) => (journey ? ASKED_MOVING_MS : ASKED_EVERY_MS),
    },
  );
  const zone = useStore(timeZone);
  const [heard, setHeard] = useState(0);
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    setHeard(performance.now());
    setPassed(0);
    if (data)
      kernelTime.set({ nowMs: Date.parse(data.now), heardMs: performance.now(), isFrozen: data.frozen });
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
  const { kind, icon, title, note } = stateOf(data);
  const now = data.frozen ? data.now : new Date(Date.parse(data.now) + passed).toISOString();
  return (
    <a
      class={`clock ${kind}`}
      href="/console/time"
      title={`${title}, ${zone === "UTC" ? "in UTC" : "in your time zone"}`}
    >
      <Icon name={icon} />
      <span class="unseen">{kind === "running" ? "Time" : `${title}, at`}</span>
      <time dateTime={now}>{momentText(now)}</time>
      {note && <span class="wide">{note}</span>}
    </a>
  );
}
