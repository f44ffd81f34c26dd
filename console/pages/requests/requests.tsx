/** Requests as they come: filters above, a list that the keyboard goes through, and the chosen one beside it. */
import type { JSX } from "preact";
import { useCallback, useState } from "preact/hooks";
import { type Problem, type SignedIn, session } from "../../api.ts";
import { isAbsent } from "../../loading.ts";
import { Button, Empty, Page, ProblemNote, Waiting } from "../../parts/basics.tsx";
import { Check, SelectField, TextField } from "../../parts/fields.tsx";
import { NothingFits } from "../../parts/nothing-fits.tsx";
import { Seeding } from "../../parts/seeding.tsx";
import { ServiceField } from "../../parts/service-field.tsx";
import { Split } from "../../parts/split.tsx";
import { setQuery, useAddress } from "../../router.ts";
import { useStore } from "../../store.ts";
import { countText } from "../../texts.ts";
import { Comparison } from "./compare.tsx";
import { Inspector } from "./inspector.tsx";
import { RequestList } from "./list.tsx";
import { type RequestFilter, useLiveRequests } from "./live.ts";

const WORDS = ["text", "service", "operation", "status", "account"];
const STATUSES = [
  ["", "Any status"],
  ["2xx", "2xx"],
  ["3xx", "3xx"],
  ["4xx", "4xx"],
  ["5xx", "5xx"],
] as const;

function Filters({
  query,
  isAdmin,
}: {
  readonly query: URLSearchParams;
  readonly isAdmin: boolean;
}): JSX.Element {
  const wordOf = (name: string) => query.get(name) ?? "";
  const set = (name: string) => (value: string) => setQuery({ [name]: value });
  return (
    <form
      class="filters"
      role="search"
      aria-label="Filter requests"
      onSubmit={(event) => event.preventDefault()}
    >
      <TextField
        label="Text"
        isHidden
        type="search"
        placeholder="Text in address, headers or body"
        value={wordOf("text")}
        onInput={set("text")}
      />
      <ServiceField isHidden value={wordOf("service")} onInput={set("service")} />
      <TextField
        label="Operation"
        isHidden
        type="search"
        placeholder="Operation"
        value={wordOf("operation")}
        onInput={set("operation")}
      />
      <SelectField
        label="Status"
        isHidden
        value={wordOf("status")}
        onInput={set("status")}
        choices={STATUSES}
      />
      {isAdmin && (
        <TextField
          label="Account"
          isHidden
          type="search"
          placeholder="Account"
          value={wordOf("account")}
          onInput={set("account")}
        />
      )}
      <Check
        label="Console's own"
        value={wordOf("console") === "yes"}
        onInput={(isWanted) => setQuery({ console: isWanted ? "yes" : undefined })}
      />
    </form>
  );
}

function filterOf(query: URLSearchParams): RequestFilter {
  const words = Object.fromEntries(
    WORDS.map((name) => [name, query.get(name) ?? ""]).filter(([, value]) => value !== ""),
  );
  return { ...words, ...(query.get("console") !== "yes" && { console: false }) };
}

const NoRequests = ({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element =>
  isFiltered ? (
    <NothingFits icon="requests" words={WORDS} />
  ) : (
    <Empty icon="requests" title="No requests yet">
      <p>Ask any service, and it shows up here at once:</p>
      <pre tabIndex={0}>
        <code>curl {location.origin}/_medley/services</code>
      </pre>
      <Seeding />
    </Empty>
  );

function Chosen({
  id,
  against,
  onCompare,
}: {
  readonly id: string;
  readonly against: string | null;
  readonly onCompare: (() => void) | undefined;
}): JSX.Element {
  const onClose = () => setQuery({ id: undefined, against: undefined });
  if (against && against !== id) return <Comparison left={against} right={id} onClose={onClose} />;
  return <Inspector id={id} actions={{ onClose, onCompare, onSent: (sent) => setQuery({ id: sent }) }} />;
}

function liveText(isPaused: boolean, held: number, problem: Problem | undefined): string {
  if (problem) return "Interrupted";
  if (!isPaused) return "Live";
  return held > 0 ? `${countText(held)} more waiting` : "Paused";
}

export default function Requests(): JSX.Element {
  const who = useStore(session) as SignedIn;
  const { query } = useAddress();
  const [isPaused, setPaused] = useState(false);
  const filter = filterOf(query);
  const { requests, problem, held } = useLiveRequests(filter, isPaused);
  const chosen = query.get("id") ?? undefined;
  const against = query.get("against");
  const choose = useCallback((id: string) => setQuery({ id }), []);
  const isFiltered = Object.keys(filter).some((name) => name !== "console");
  return (
    <Page
      isFull
      title="Requests"
      actions={
        <>
          {against === chosen && against && <span class="muted">Choose another request to compare with</span>}
          <span class="live-state muted" role="status">
            {liveText(isPaused, held, problem)}
          </span>
          <Button icon={isPaused ? "play" : "pause"} pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {isPaused ? "Go on" : "Pause"}
          </Button>
        </>
      }
    >
      <Filters query={query} isAdmin={who.admin} />
      {problem && !isAbsent(problem) && <ProblemNote problem={problem} />}
      <Split
        detail={
          chosen && <Chosen id={chosen} against={against} onCompare={() => setQuery({ against: chosen })} />
        }
      >
        {requests === undefined ? (
          <Waiting rows={12} />
        ) : requests.length === 0 ? (
          <NoRequests isFiltered={isFiltered} />
        ) : (
          <RequestList
            requests={requests}
            chosen={chosen}
            onChoose={choose}
            onLeave={() => setQuery({ id: undefined })}
          />
        )}
      </Split>
    </Page>
  );
}
