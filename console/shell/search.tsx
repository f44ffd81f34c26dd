/** One box for everything, opened by Ctrl K: pages, operations, resources and documentation. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Answers } from "../generated/operations.ts";
import { useAnswer } from "../loading.ts";
import { Tag } from "../parts/basics.tsx";
import { useModal } from "../parts/dialog.tsx";
import { Icon } from "../parts/icons.tsx";
import { go } from "../router.ts";
import { toolsOfServices } from "../services.ts";
import { tools } from "./tools.ts";

type Result = Answers["medley.search"]["results"][number];
type Found = {
  readonly title: string;
  readonly summary: string;
  readonly kind: string;
  readonly href: string;
};

const TYPING_MS = 120;
/** The list it controls is one of our own, not the browser's. */
const comboboxOf = (count: number, chosen: number): object => ({
  role: "combobox",
  "aria-controls": "found",
  "aria-expanded": count > 0,
  ...(count > 0 && { "aria-activedescendant": `found-${chosen}` }),
});

const PAGES: Readonly<Record<Result["kind"], (id: string) => string>> = {
  operation: (id) => `/console/try?operation=${encodeURIComponent(id)}`,
  resource: (id) => `/console/resources?arn=${encodeURIComponent(id)}`,
  doc: (id) => `/console/docs/${encodeURIComponent(id)}`,
};

function toolsFor(text: string, isAdmin: boolean): Found[] {
  const wanted = text.trim().toLowerCase();
  const own = tools.filter((tool) => isAdmin || !tool.isForAdmins).map((tool) => ({ ...tool, summary: "" }));
  // Tools of services are many: they are found, and not listed before anything is typed.
  const all = wanted === "" ? own : [...own, ...toolsOfServices()];
  return all
    .filter(({ title }) => title.toLowerCase().includes(wanted))
    .map(({ title, summary, path }) => ({ title, summary, kind: "page", href: path }));
}

export function Search({
  isAdmin,
  onClose,
}: {
  readonly isAdmin: boolean;
  readonly onClose: () => void;
}): JSX.Element {
  const dialog = useModal();
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const [at, setAt] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, problem } = useAnswer("medley.search", { query: { q: asked } }, { isWanted: asked !== "" });
  const results: readonly Found[] = [
    ...toolsFor(text, isAdmin),
    ...(asked === "" ? [] : (data?.results ?? [])).map((result) => ({
      title: result.title,
      summary: result.summary,
      kind: result.kind,
      href: PAGES[result.kind](result.id),
    })),
  ];
  const chosen = Math.min(at, results.length - 1);
  const open = (found: Found | undefined) => {
    if (!found) return;
    onClose();
    go(found.href);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(results.length - 1, chosen + step)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      open(results[chosen]);
    } else if (event.key === "Escape") {
      // Left to itself, the browser would empty the field first.
      event.preventDefault();
      onClose();
    }
  };
  useEffect(() => {
    document.getElementById(`found-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <dialog
      ref={dialog}
      class="dialog search"
      aria-label="Search"
      onClose={onClose}
      onMouseDown={(event) => event.target === dialog.current && onClose()}
    >
      <div class="search-box">
        <Icon name="search" />
        <input
          {...comboboxOf(results.length, chosen)}
          type="search"
          aria-label="Search operations, resources and documentation"
          placeholder="Search operations, resources and documentation"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKey}
        />
      </div>
      <div class="found" id="found" role="listbox" aria-label="What was found">
        {results.map((found, index) => (
          <div
            key={`${found.kind} ${found.href} ${found.title}`}
            id={`found-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => open(found)}
          >
            <Tag>{found.kind}</Tag>
            <b>{found.title}</b>
            <span class="muted wide">{found.summary}</span>
          </div>
        ))}
      </div>
      <p class="search-note muted small" role="status">
        {problem
          ? problem.message
          : results.length === 0
            ? "Nothing found. Try another word: all of them must fit."
            : "Arrow keys to choose, Enter to open."}
      </p>
    </dialog>
  );
}
