/** The one table: one line a row, in columns that the reader chooses and sorts by; on a phone each row is a card. */
import type { ComponentChildren, JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { CopyButton } from "./basics.tsx";
import { isLongIdentifier, Value } from "./cells.tsx";
import type { ColumnsKept } from "./columns-menu.tsx";
import { memo } from "./memo.ts";
import { compareValues, isAmount, textOf } from "./values.ts";

export type Column<T> = {
  readonly title: string;
  /** What it is sorted by, found by and copied as. */
  readonly value: (row: T) => unknown;
  /** How it is shown, where the value alone does not say it. */
  readonly cell?: (row: T) => ComponentChildren;
  /** What the server sorts by, where it can. Else the rows that are here are sorted. */
  readonly sort?: string;
  /** Left out while a row is open beside the table. */
  readonly isWide?: boolean;
};

export const titlesOf = <T,>(columns: readonly Column<T>[]): string[] => columns.map(({ title }) => title);

type RowProps<T> = {
  readonly row: T;
  readonly name: string;
  readonly columns: readonly Column<T>[];
  readonly isFirst: boolean;
  readonly isChosen: boolean;
  readonly onChoose: ((key: string) => void) | undefined;
};
const classOf = (isWide: boolean | undefined, value: unknown): string =>
  [isWide && "wide", isAmount(value) && "number"].filter(Boolean).join(" ");

function Row<T>({ row, name, columns, isFirst, isChosen, onChoose }: RowProps<T>): JSX.Element {
  // What can be pressed in a row does what it says; the rest of the row opens it.
  const choose = ({ target }: Event) => {
    const pressed = (target as Element).closest("a, button");
    if (!pressed || pressed.classList.contains("row-button")) onChoose?.(name);
  };
  return (
    <tr
      class={isChosen ? "chosen" : ""}
      {...(onChoose ? { onClick: choose } : { tabIndex: isFirst ? 0 : -1 })}
    >
      {columns.map(({ title, value, cell, isWide }, at) => {
        const content = value(row);
        const shown = cell ? cell(row) : <Value column={title} value={content} />;
        return (
          <td key={title} data-label={title} class={classOf(isWide, content)}>
            {onChoose && at === 0 ? (
              <button type="button" class="row-button" aria-pressed={isChosen}>
                {shown}
              </button>
            ) : (
              shown
            )}
            {isLongIdentifier(textOf(content)) && (
              <CopyButton text={() => textOf(content)} label={`Copy ${title}`} />
            )}
          </td>
        );
      })}
    </tr>
  );
}
/** However many there are, those that stay as they are cost nothing. */
const KnownRow = memo(Row) as typeof Row;

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
/** Arrow keys go from row to row; Enter opens what the row leads to. */
function moveByRow(event: KeyboardEvent): void {
  const active = document.activeElement;
  const row = active?.closest("tbody tr");
  if (!row) return;
  if (event.key === "Enter" && active === row) row.querySelector<HTMLElement>("a, button")?.click();
  const step = STEPS[event.key];
  const next = step === 1 ? row.nextElementSibling : step === -1 ? row.previousElementSibling : undefined;
  const target = next?.querySelector<HTMLElement>(".row-button") ?? next;
  if (!(target instanceof HTMLElement)) return;
  event.preventDefault();
  target.focus();
}

type Order = { readonly title: string; readonly isDown: boolean };
type HeadProps<T> = {
  readonly columns: readonly Column<T>[];
  readonly isNumber: (column: Column<T>) => boolean;
  readonly order: Order | undefined;
  readonly onTurn: (column: Column<T>) => void;
};
const Head = <T,>({ columns, isNumber, order, onTurn }: HeadProps<T>): JSX.Element => (
  <thead>
    <tr>
      {columns.map((column) => (
        <th
          key={column.title}
          scope="col"
          class={classOf(column.isWide, isNumber(column) ? 0 : "")}
          aria-sort={order?.title === column.title ? (order.isDown ? "descending" : "ascending") : "none"}
        >
          <button type="button" class="sort" onClick={() => onTurn(column)}>
            {column.title}
          </button>
        </th>
      ))}
    </tr>
  </thead>
);

/** The order of the server where it has one for the column, else of the rows that are here. */
function useOrder<T>(columns: readonly Column<T>[], sort: string, onSort?: (sort: string) => void) {
  const [own, setOwn] = useState<Order>();
  const served = columns.find(
    (column) => column.sort && (sort === column.sort || sort === `-${column.sort}`),
  );
  const order = own ?? (served && { title: served.title, isDown: sort.startsWith("-") });
  const turn = ({ title, sort: name }: Column<T>) => {
    const isDown = order?.title === title && !order.isDown;
    if (!name || !onSort) return setOwn({ title, isDown });
    setOwn(undefined);
    onSort(isDown ? `-${name}` : name);
  };
  const column = own && columns.find(({ title }) => title === own.title);
  const sorted = (rows: readonly T[]): readonly T[] =>
    column
      ? [...rows].sort((a, b) => (own.isDown ? -1 : 1) * compareValues(column.value(a), column.value(b)))
      : rows;
  return { order, turn, sorted };
}

export function Table<T>({
  rows,
  all = rows,
  columns,
  kept,
  most = Number.POSITIVE_INFINITY,
  keyOf,
  chosen,
  onChoose,
  sort = "",
  onSort,
}: {
  readonly rows: readonly T[];
  /** Where a filter left out some. */
  readonly all?: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly kept: ColumnsKept;
  /** So many rows at most. */
  readonly most?: number;
  readonly keyOf?: (row: T) => string;
  readonly chosen?: string | undefined;
  /** The first cell of a row is a button then. */
  readonly onChoose?: (key: string) => void;
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
}): JSX.Element {
  const { order, turn, sorted } = useOrder(columns, sort, onSort);
  // Columns that are empty in every row are left out.
  const titles = columns
    .filter(
      ({ title, value }) => !kept.hidden.includes(title) && all.some((row) => textOf(value(row)) !== ""),
    )
    .map(({ title }) => title)
    .join("\n");
  const shown = useMemo(
    () => columns.filter(({ title }) => titles.split("\n").includes(title)),
    [columns, titles],
  );
  const isNumber = ({ value }: Column<T>) => all.some((row) => isAmount(value(row)));
  return (
    <table class={kept.isWhole ? "stacking whole" : "stacking"} onKeyDown={moveByRow}>
      <Head columns={shown} isNumber={isNumber} order={order} onTurn={turn} />
      <tbody>
        {sorted(rows)
          .slice(0, most)
          .map((row, at) => {
            const name = keyOf?.(row) ?? "";
            // By its place: other words in the same cells are drawn sooner than other cells.
            return (
              <KnownRow
                key={at}
                row={row}
                name={name}
                columns={shown}
                isFirst={at === 0}
                isChosen={chosen !== undefined && name === chosen}
                onChoose={onChoose}
              />
            );
          })}
        {rows.length === 0 && (
          <tr>
            <td colSpan={shown.length} class="muted">
              Nothing fits the filter.
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
