/** The kernel's clock: freeze it, move it, see what is due next, and what ran on the way. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api.ts";
import type { Answers } from "../../generated/operations.ts";
import { useAnswer, useWork } from "../../loading.ts";
import { Button, Page, Section, Shown, Tag, WorkNote } from "../../parts/basics.tsx";
import { Check, TextField } from "../../parts/fields.tsx";
import { chooseZone, timeZone } from "../../parts/kernel-time.ts";
import { Progress } from "../../parts/progress.tsx";
import { Segments } from "../../parts/segments.tsx";
import { useStore } from "../../store.ts";
import { counted, distanceText, momentText, msText } from "../../texts.ts";
import { Effects } from "../requests/inspector.tsx";

type Advanced = Answers["medley.clock.advance"];
const STEPS = [
  ["1m", "1 min"],
  ["1h", "1 h"],
  ["1d", "1 d"],
  ["7d", "1 week"],
  ["30d", "30 d"],
] as const;
const DUE_SHOWN = 100;
const ZONE_NAMES = [
  ["UTC", "UTC"],
  ["local", "Local"],
] as const;

function Ran({ journey }: { readonly journey: Advanced }): JSX.Element {
  return (
    <Section title={journey.arrived ? "Jobs that ran" : "Jobs that ran until it was stopped"}>
      {journey.runs === 0 ? (
        <p class="muted">Nothing was due.</p>
      ) : (
        <>
          <ul class="chips">
            {journey.summary.map(({ job, done, retried, failed, housekeeping }) => (
              <li key={job}>
                <Tag tone={failed > 0 ? "bad" : retried > 0 ? "warn" : housekeeping ? "plain" : "good"}>
                  {job} {done + retried + failed}
                  {failed > 0 && `, ${failed} failed`}
                  {retried > 0 && `, ${retried} to try again`}
                </Tag>
              </li>
            ))}
          </ul>
          <ol class="panel lines timeline">
            {journey.ran.map(({ id, job, at, outcome, caused }) => (
              <li key={id + at}>
                <time dateTime={at}>{momentText(at)}</time>
                <a class="grow" href={`/console/jobs?id=${encodeURIComponent(id)}`}>
                  {job}
                </a>
                <Tag tone={outcome === "done" ? "good" : outcome === "failed" ? "bad" : "warn"}>
                  {outcome}
                </Tag>
                {caused.length > 0 && <Effects caused={caused} />}
              </li>
            ))}
          </ol>
          {journey.runs > journey.ran.length && (
            <p class="muted">
              The first {counted(journey.ran.length, "run")} of {counted(journey.runs, "run")}.
            </p>
          )}
        </>
      )}
    </Section>
  );
}

function Due({ turn }: { readonly turn: number }): JSX.Element {
  const [isTidying, setTidying] = useState(false);
  const loaded = useAnswer(
    "medley.due",
    { query: { limit: DUE_SHOWN, housekeeping: isTidying } },
    { everyMs: 5000 },
  );
  // A turn means that time was moved.
  useEffect(loaded.reload, [turn]);
  return (
    <Section
      title="Due next"
      actions={<Check label="With housekeeping" value={isTidying} onInput={setTidying} />}
    >
      <div class="panel">
        <Shown of={loaded} rows={8}>
          {({ now, due }) =>
            due.length === 0 ? (
              <p class="quiet-note">
                Nothing is due. A schedule, a plan or an event that waits shows up here as soon as it is made.
              </p>
            ) : (
              <ol class="lines timeline">
                {due.map(({ at, job, service, account, id }) => (
                  <li key={id}>
                    <time dateTime={at}>{momentText(at)}</time>
                    <b class="distance">{distanceText(now, at)}</b>
                    <a class="grow" href={`/console/jobs?id=${encodeURIComponent(id)}`}>
                      {job}
                    </a>
                    <span class="muted wide">
                      {[service, account].filter((word) => word !== "").join(", ")}
                    </span>
                  </li>
                ))}
              </ol>
            )
          }
        </Shown>
      </div>
    </Section>
  );
}

type UnderWay = NonNullable<Answers["medley.clock.show"]["journey"]>;
/** How far time has come that is being moved, and how long the rest may take. */
function Way({ under }: { readonly under: UnderWay }): JSX.Element {
  const { to, runs, percent, remainingSeconds } = under;
  const rest = remainingSeconds === undefined ? "" : `, about ${msText(remainingSeconds * 1000)} left`;
  return (
    <Progress label="Of the way" percent={percent}>
      {percent} % of the way to {momentText(to)}: {counted(runs, "run")} so far{rest}
    </Progress>
  );
}

function Steps({
  isBusy,
  onAdvance,
}: {
  readonly isBusy: boolean;
  readonly onAdvance: (length: string) => void;
}): JSX.Element {
  const [by, setBy] = useState("36h");
  return (
    <div class="row">
      {STEPS.map(([length, text]) => (
        <Button key={length} disabled={isBusy} onClick={() => onAdvance(length)}>
          {text}
        </Button>
      ))}
      <form
        class="row tight-row"
        onSubmit={(event) => {
          event.preventDefault();
          onAdvance(by);
        }}
      >
        <TextField label="By how much" isHidden placeholder="36h, 90s, PT36H" value={by} onInput={setBy} />
        <Button type="submit" kind="main" isBusy={isBusy}>
          Advance
        </Button>
      </form>
    </div>
  );
}

export default function Time(): JSX.Element {
  const clock = useAnswer("medley.clock.show", {}, { everyMs: 1000 });
  const [journey, setJourney] = useState<Advanced>();
  const [turn, setTurn] = useState(0);
  const advance = useWork(async (length: string) => {
    setJourney(await call("medley.clock.advance", { body: { by: length } }));
    setTurn((before) => before + 1);
    clock.reload();
  });
  const change = useWork(
    async (verb: "medley.clock.freeze" | "medley.clock.resume" | "medley.clock.cancel") => {
      await call(verb, {});
      clock.reload();
    },
  );
  const zone = useStore(timeZone);
  return (
    <Page
      title="Time"
      lead="All services use one clock. Move it forward, and everything that falls due runs in its order."
    >
      <div class="card clock-card">
        <Shown of={clock} rows={1}>
          {({ now, frozen, offsetMs, journey: under }) => (
            <>
              <div>
                <time class="big-time" dateTime={now}>
                  {momentText(now)}
                </time>
                <p class="muted">
                  {zone === "UTC" ? "UTC" : "Your time zone"}
                  {frozen && !under && ", frozen"}
                  {Math.abs(offsetMs) >= 1000 &&
                    `, ${distanceText(new Date(Date.parse(now) - offsetMs).toISOString(), now).replace("in ", "")} ahead of the machine`}
                </p>
                {under && <Way under={under} />}
              </div>
              <div class="row">
                <Segments label="Time zone" choices={ZONE_NAMES} value={zone} onInput={chooseZone} />
                {under ? (
                  <Button icon="close" onClick={() => void change.run("medley.clock.cancel")}>
                    Stop here
                  </Button>
                ) : (
                  <Button
                    icon={frozen ? "play" : "frozen"}
                    isBusy={change.isBusy}
                    onClick={() => void change.run(frozen ? "medley.clock.resume" : "medley.clock.freeze")}
                  >
                    {frozen ? "Resume" : "Freeze"}
                  </Button>
                )}
              </div>
            </>
          )}
        </Shown>
      </div>
      <div class="card advance">
        <h2>Move forward</h2>
        <Steps isBusy={advance.isBusy} onAdvance={(length) => void advance.run(length)} />
        <WorkNote work={advance} />
        <WorkNote work={change} />
      </div>
      <div role="status">{journey && <Ran journey={journey} />}</div>
      <Due turn={turn} />
    </Page>
  );
}
