/** A long table with one row chosen, and a button for more. */
import type { ComponentChildren, JSX } from "preact";
import { useCallback, useRef } from "preact/hooks";
import { isAbsent } from "../loading.ts";
import { Button, ProblemNote, Waiting } from "./basics.tsx";
import { memo } from "./memo.ts";
import type { Paged } from "./paged.ts";

export type Column<T> = {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** What the server sorts by, where it can. */
  readonly sort?: string;
  readonly isWide?: boolean;
};

type RowProps<T> = {
  readonly row: T;
  readonly name: string;
  readonly columns: readonly Column<T>[];
  readonly isChosen: boolean;
  readonly onChoose: (key: string) => void;
};
function Row<T>({ row, name, columns, isChosen, onChoose }: RowProps<T>): JSX.Element {
  const choose = (event: MouseEvent) => {
    event.stopPropagation();
    onChoose(name);
  };
  return (
    <tr class={isChosen ? "chosen" : ""} onClick={choose}>
      {columns.map(({ title, cell, isWide }, at) => (
        <td key={title} class={isWide ? "wide" : ""}>
          {at === 0 ? (
            <button type="button" class="row-button" aria-pressed={isChosen} onClick={choose}>
              {cell(row)}
            </button>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}
/** However many there are, those that stay as they are cost nothing. */
const KnownRow = memo(Row) as typeof Row;

function Head<T>({
  columns,
  sort,
  onSort,
}: {
  readonly columns: readonly Column<T>[];
  readonly sort: string;
  readonly onSort: ((sort: string) => void) | undefined;
}): JSX.Element {
  const sortOf = (name: string) =>
    sort === name ? "ascending" : sort === `-${name}` ? "descending" : "none";
  return (
    <thead>
      <tr>
        {columns.map(({ title, sort: name, isWide }) => (
          <th
            key={title}
            scope="col"
            class={isWide ? "wide" : ""}
            {...(name && { "aria-sort": sortOf(name) as "none" })}
          >
            {name && onSort ? (
              <button type="button" class="sort" onClick={() => onSort(sort === name ? `-${name}` : name)}>
                {title}
              </button>
            ) : (
              title
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
/** From row to row, as in any other list. */
function moveByRow(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  const table = event.currentTarget as HTMLElement;
  const buttons = [...table.querySelectorAll<HTMLElement>(".row-button")];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  const next = step === undefined || at < 0 ? undefined : buttons[at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

export function PagedTable<T>({
  label,
  paged,
  columns,
  keyOf,
  chosen,
  onChoose,
  sort = "",
  onSort,
  empty,
}: {
  readonly label: string;
  readonly paged: Paged<T>;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
  readonly empty: JSX.Element;
}): JSX.Element {
  const { rows, isOld, problem, more, reload } = paged;
  const latest = useRef(onChoose);
  latest.current = onChoose;
  const choose = useCallback((key: string) => latest.current(key), []);
  if (problem && !isAbsent(problem)) return <ProblemNote problem={problem} retry={reload} />;
  if (!rows) return <Waiting rows={12} />;
  if (rows.length === 0 && !isOld) return empty;
  return (
    <div
      class="table-list"
      tabIndex={0}
      role="region"
      aria-label={label}
      aria-busy={isOld}
      onKeyDown={moveByRow}
    >
      <table>
        <Head columns={columns} sort={sort} onSort={onSort} />
        <tbody>
          {rows.map((row, at) => {
            const name = keyOf(row);
            // By its place: other words in the same cells are drawn sooner than other cells.
            return (
              <KnownRow
                key={at}
                row={row}
                name={name}
                columns={columns}
                isChosen={name === chosen}
                onChoose={choose}
              />
            );
          })}
        </tbody>
      </table>
      {more && (
        <p class="more">
          <Button onClick={more}>Show more</Button>
        </p>
      )}
    </div>
  );
}
