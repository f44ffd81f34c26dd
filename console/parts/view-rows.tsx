/** The rows of a service's table: one line each, in columns that the reader chooses, sorted and filtered on the page. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answers } from "../generated/operations.ts";
import { counted, countText } from "../texts.ts";
import { Button, CopyButton } from "./basics.tsx";
import {
  Identifier,
  isLongIdentifier,
  isMoment,
  isShare,
  isState,
  Moment,
  Share,
  State,
  wordsIn,
} from "./cells.tsx";
import { Check } from "./fields.tsx";

export type View = Answers["medley.views"]["views"][number];

const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

const PAGES: Readonly<Record<string, (id: string) => string | undefined>> = {
  resource: (arn) => `/console/resources?arn=${encodeURIComponent(arn)}`,
  job: (id) => `/console/jobs?id=${encodeURIComponent(id)}`,
  message: (id) => `/console/outbox?id=${encodeURIComponent(id)}`,
  page: (path) => (/^\/[^/]/.test(path) ? path : undefined),
};
/** Where a table of a service is shown with those rows alone in which the text is found. */
export const viewAddress = (service: string, view: string, text: string): string =>
  `/console/services/${service}?${new URLSearchParams({ view, text })}`;

function Value({ column, value }: { readonly column: string; readonly value: unknown }): JSX.Element {
  const text = textOf(value);
  if (isMoment(text)) return <Moment at={text} />;
  if (isShare(text)) return <Share text={text} />;
  if (isState(column, text)) return <State word={text} />;
  if (isLongIdentifier(text)) return <Identifier text={text} />;
  return <span title={text}>{wordsIn(column, text)}</span>;
}

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
  readonly onOpen: (view: string, row: string) => void;
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
  const { view, rowsOf } = link as { readonly view: string; readonly rowsOf?: string };
  if (rowsOf !== undefined) return <a href={viewAddress(service, rowsOf, textOf(first))}>{shown}</a>;
  return (
    <button type="button" class="link-button" onClick={() => onOpen(view, text)}>
      {shown}
    </button>
  );
}

type Order = { readonly column: number; readonly isDown: boolean };
/** The rows that a text is in, in the order that was asked for. */
function rowsShown<Value>(
  { columns, rows }: { readonly columns: readonly string[]; readonly rows: readonly (readonly Value[])[] },
  text: string,
  order: Order | undefined,
): readonly (readonly Value[])[] {
  const wanted = text.trim().toLowerCase();
  const isIn = (value: Value, at: number) => {
    const whole = textOf(value);
    return `${whole}\n${wordsIn(columns[at] ?? "", whole)}`.toLowerCase().includes(wanted);
  };
  const shown = rows.filter((row) => wanted === "" || row.some(isIn));
  if (!order) return shown;
  return [...shown].sort((a, b) => {
    const compared = textOf(a[order.column]).localeCompare(textOf(b[order.column]), "en", { numeric: true });
    return order.isDown ? -compared : compared;
  });
}

type Columns = {
  readonly hidden: readonly string[];
  readonly isWhole: boolean;
  readonly choose: (next: { readonly hidden?: readonly string[]; readonly isWhole?: boolean }) => void;
};
/** Which columns of a table the reader hid, and whether identifiers are shown whole; kept in the browser. */
export function useColumns(table: string): Columns {
  const key = `medley-columns:${table}`;
  const [kept, setKept] = useState<{ hidden: readonly string[]; isWhole: boolean }>(() => ({
    hidden: [],
    isWhole: false,
    ...JSON.parse(localStorage.getItem(key) ?? "{}"),
  }));
  const choose: Columns["choose"] = (next) => {
    const changed = { ...kept, ...next };
    localStorage.setItem(key, JSON.stringify(changed));
    setKept(changed);
  };
  return { ...kept, choose };
}

type MenuEvent<E> = E & { readonly currentTarget: HTMLDetailsElement };
/** A menu closes when the reader goes on elsewhere, or presses Escape. */
function closeBehind({ currentTarget, relatedTarget }: MenuEvent<FocusEvent>): void {
  if (!currentTarget.contains(relatedTarget as Node | null)) currentTarget.open = false;
}
function closeByKey({ currentTarget, key }: MenuEvent<KeyboardEvent>): void {
  if (key !== "Escape") return;
  currentTarget.open = false;
  currentTarget.querySelector("summary")?.focus();
}

export function ColumnsMenu({
  title,
  columns,
  kept,
}: {
  readonly title: string;
  readonly columns: readonly string[];
  readonly kept: Columns;
}): JSX.Element {
  const { hidden, isWhole, choose } = kept;
  const turn = (column: string, isOn: boolean) =>
    choose({ hidden: isOn ? hidden.filter((one) => one !== column) : [...hidden, column] });
  return (
    <details class="columns-menu" onFocusOut={closeBehind} onKeyDown={closeByKey}>
      <summary class="button quiet" aria-label={`Columns of ${title}`}>
        Columns
      </summary>
      <div class="panel" tabIndex={-1}>
        {columns.map((column) => (
          <Check
            key={column}
            label={column}
            value={!hidden.includes(column)}
            onInput={(isOn) => turn(column, isOn)}
          />
        ))}
        <hr />
        <Check label="Whole identifiers" value={isWhole} onInput={(on) => choose({ isWhole: on })} />
      </div>
    </details>
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
            Use this operation: <a href={`/console/try?operation=${madeBy.operation}`}>{madeBy.summary}</a>.
            Or copy the command.
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

const NAME_COLUMN = /^(?:name|title)$/i;
/** Names come first; the others keep their order. Columns that are empty in every row are left out. */
function orderOf({ columns, rows }: View, hidden: readonly string[]): readonly number[] {
  const name = columns.findIndex((column) => NAME_COLUMN.test(column));
  const places = columns.map((_column, at) => at);
  const ordered = name > 0 ? [name, ...places.filter((at) => at !== name)] : places;
  const isFilled = (at: number) => rows.some((row) => textOf(row[at]) !== "");
  return ordered.filter((at) => !hidden.includes(columns[at] ?? "") && isFilled(at));
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
/** Arrow keys go from row to row; Enter opens what the row leads to. */
function moveByRow(event: KeyboardEvent): void {
  const row = document.activeElement;
  if (!(row instanceof HTMLTableRowElement)) return;
  if (event.key === "Enter") row.querySelector<HTMLElement>("a, button")?.click();
  const step = STEPS[event.key];
  const next = step === 1 ? row.nextElementSibling : step === -1 ? row.previousElementSibling : undefined;
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
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
  readonly kept: Columns;
  readonly onOpen: (view: string, row: string) => void;
}): JSX.Element {
  const { title, columns, rows, links = {}, hasDetail } = view;
  const [order, setOrder] = useState<Order>();
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const found = rowsShown(view, text, order);
  const shown = found.slice(0, most);
  const isNumber = (at: number) => typeof rows[0]?.[at] === "number";
  const places = orderOf(view, kept.hidden);
  const turn = (column: number) =>
    setOrder((before) => ({ column, isDown: before?.column === column ? !before.isDown : false }));
  const linkOf = (at: number) =>
    links[columns[at] ?? ""] ?? (hasDetail && at === 0 ? { view: title } : undefined);
  return (
    <div class="panel scroller rows" tabIndex={0} role="region" aria-label={title}>
      <table class={kept.isWhole ? "stacking whole" : "stacking"} onKeyDown={moveByRow}>
        <thead>
          <tr>
            {places.map((at) => (
              <th
                key={columns[at]}
                scope="col"
                class={isNumber(at) ? "number" : ""}
                aria-sort={order?.column === at ? (order.isDown ? "descending" : "ascending") : "none"}
              >
                <button type="button" class="sort" onClick={() => turn(at)}>
                  {columns[at]}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, line) => (
            <tr key={line} tabIndex={line === 0 ? 0 : -1}>
              {places.map((at) => (
                <td key={at} data-label={columns[at]} class={typeof row[at] === "number" ? "number" : ""}>
                  <Cell
                    column={columns[at] ?? ""}
                    value={row[at]}
                    link={linkOf(at)}
                    first={row[0]}
                    service={service}
                    onOpen={onOpen}
                  />
                  {isLongIdentifier(textOf(row[at])) && (
                    <CopyButton text={() => textOf(row[at])} label={`Copy ${columns[at]}`} />
                  )}
                </td>
              ))}
            </tr>
          ))}
          {shown.length === 0 && (
            <tr>
              <td colSpan={places.length} class="muted">
                Nothing fits the filter.
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {found.length > most && (
        <p class="more-rows">
          {countText(most)} of {counted(found.length, "row")}{" "}
          <Button onClick={() => setMost(most + ROWS_AT_ONCE)}>Show more of {title}</Button>
        </p>
      )}
    </div>
  );
}
