/** The rows of a service's table, with what its cells lead to. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answers } from "../generated/operations.ts";
import { counted, countText } from "../texts.ts";
import { Button, CopyButton } from "./basics.tsx";
import { Value, wordsIn } from "./cells.tsx";
import type { ColumnsKept } from "./columns-menu.tsx";
import { type Column, Table } from "./table.tsx";
import { textOf } from "./values.ts";

export type View = Answers["medley.views"]["views"][number];

const PAGES: Readonly<Record<string, (id: string) => string | undefined>> = {
  resource: (arn) => `/console/resources?arn=${encodeURIComponent(arn)}`,
  job: (id) => `/console/jobs?id=${encodeURIComponent(id)}`,
  message: (id) => `/console/outbox?id=${encodeURIComponent(id)}`,
  page: (path) => (/^\/[^/]/.test(path) ? path : undefined),
};
/** Where a table of a service is shown with those rows alone in which the text is found. */
export const viewAddress = (service: string, view: string, text: string): string =>
  `/console/services/${service}?${new URLSearchParams({ view, text })}`;

/** Paths of pages are long, and tell people little. */
const PageLink = ({ href }: { readonly href: string }): JSX.Element => (
  <a href={href} title={href}>
    Open<span class="unseen"> {href}</span>
  </a>
);

type CellProps = {
  readonly column: string;
  readonly value: unknown;
  readonly link: unknown;
  /** The first cell of its row. */
  readonly first: unknown;
  readonly service: string;
  readonly onOpen: (view: string, row: string, name: string) => void;
};
/** A cell that leads somewhere: to a page, to a row of another table of the same service, or to several. */
function Cell({ column, value, link, first, service, onOpen }: CellProps): JSX.Element {
  const text = textOf(value);
  const shown = <Value column={column} value={value} />;
  if (link === undefined || text === "") return shown;
  if (typeof link === "string") {
    const href = PAGES[link]?.(text);
    if (href === undefined) return shown;
    return link === "page" ? <PageLink href={href} /> : <a href={href}>{shown}</a>;
  }
  const { view, rowsOf, isOwn } = link as {
    readonly view: string;
    readonly rowsOf?: string;
    readonly isOwn?: true;
  };
  if (rowsOf !== undefined) return <a href={viewAddress(service, rowsOf, textOf(first))}>{shown}</a>;
  return (
    <button
      type="button"
      class="link-button"
      onClick={() => onOpen(view, isOwn ? textOf(first) : text, text)}
    >
      {shown}
    </button>
  );
}

/** The next step: the operation that fills the table, as a form and as a command. */
export const NothingYet = ({
  service,
  madeBy,
}: {
  readonly service: string;
  readonly madeBy: View["madeBy"];
}): JSX.Element => {
  const command = madeBy?.curl ?? `npx medley seed ${service}`;
  return (
    <div class="panel nothing-yet">
      <p class="muted">
        Nothing yet.{" "}
        {madeBy ? (
          <>
            Use this operation:{" "}
            <a href={`/console/try?operation=${madeBy.operation}`}>{madeBy.summary.replace(/\.$/, "")}</a>. Or
            copy the command.
          </>
        ) : (
          <>
            Make something with <a href={`/console/try?service=${service}`}>Try it</a>, or load demo data:{" "}
            <code>{command}</code>
          </>
        )}
      </p>
      <CopyButton
        text={() => command}
        label={madeBy ? `Copy the command: ${madeBy.summary}` : `Copy ${command}`}
      />
    </div>
  );
};

const NAME_COLUMN = /^(?:name|title|headline)$/i;
const ID_COLUMN = /^(?:id|entry)$/i;
const rankOf = (column: string): number => (NAME_COLUMN.test(column) ? 0 : ID_COLUMN.test(column) ? 2 : 1);
/** Names come first, identifiers last; the others keep their order. */
const orderOf = (columns: readonly string[]): readonly number[] =>
  columns.map((_column, at) => at).sort((a, b) => rankOf(columns[a] ?? "") - rankOf(columns[b] ?? ""));

type ViewRow = View["rows"][number];
/** The rows that a text is in, as it is or as it is shown. */
function rowsWith({ columns, rows }: View, text: string): readonly ViewRow[] {
  const wanted = text.trim().toLowerCase();
  const isIn = (value: unknown, at: number) => {
    const whole = textOf(value);
    return `${whole}\n${wordsIn(columns[at] ?? "", whole)}`.toLowerCase().includes(wanted);
  };
  return wanted === "" ? rows : rows.filter((row) => row.some(isIn));
}

/** On a phone a row is a card, and hundreds of them are a long way. */
const ROWS_AT_ONCE = 50;
export function RowsTable({
  view,
  service,
  text,
  kept,
  onOpen,
}: {
  readonly view: View;
  readonly service: string;
  readonly text: string;
  readonly kept: ColumnsKept;
  readonly onOpen: (view: string, row: string, name: string) => void;
}): JSX.Element {
  const { title, columns: titles, links = {}, hasDetail } = view;
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const found = rowsWith(view, text);
  const order = orderOf(titles);
  const linkOf = (at: number) =>
    links[titles[at] ?? ""] ?? (hasDetail && at === order[0] ? { view: title, isOwn: true } : undefined);
  const columns = order.map((at): Column<ViewRow> => {
    const column = titles[at] ?? "";
    return {
      title: column,
      value: (row) => row[at],
      cell: (row) => (
        <Cell
          column={column}
          value={row[at]}
          link={linkOf(at)}
          first={row[0]}
          service={service}
          onOpen={onOpen}
        />
      ),
    };
  });
  return (
    <div class="panel scroller rows" tabIndex={0} role="region" aria-label={title}>
      <Table rows={found} all={view.rows} columns={columns} kept={kept} most={most} />
      {found.length > most && (
        <p class="more-rows">
          {countText(most)} of {counted(found.length, "row")}{" "}
          <Button onClick={() => setMost(most + ROWS_AT_ONCE)}>Show more of {title}</Button>
        </p>
      )}
    </div>
  );
}
