/** A long table with one row chosen, and a button for more. */
import type { ComponentChildren, JSX } from "preact";
import { Button, ProblemNote, Waiting } from "./basics.tsx";
import type { Paged } from "./paged.ts";

export type Column<T> = {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** What the server sorts by, where it can. */
  readonly sort?: string;
  readonly isWide?: boolean;
};

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
  const { rows, problem, more, reload } = paged;
  if (problem) return <ProblemNote problem={problem} retry={reload} />;
  if (!rows) return <Waiting rows={12} />;
  if (rows.length === 0) return empty;
  const sortOf = (name: string) =>
    sort === name ? "ascending" : sort === `-${name}` ? "descending" : "none";
  return (
    <div class="table-list" tabIndex={0} role="region" aria-label={label}>
      <table>
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
                  <button
                    type="button"
                    class="sort"
                    onClick={() => onSort(sort === name ? `-${name}` : name)}
                  >
                    {title}
                  </button>
                ) : (
                  title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = keyOf(row);
            return (
              <tr key={key} class={key === chosen ? "chosen" : ""} onClick={() => onChoose(key)}>
                {columns.map(({ title, cell, isWide }, at) => (
                  <td key={title} class={isWide ? "wide" : ""}>
                    {at === 0 ? (
                      <button
                        type="button"
                        class="row-button"
                        aria-pressed={key === chosen}
                        onClick={(event) => {
                          event.stopPropagation();
                          onChoose(key);
                        }}
                      >
                        {cell(row)}
                      </button>
                    ) : (
                      cell(row)
                    )}
                  </td>
                ))}
              </tr>
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
