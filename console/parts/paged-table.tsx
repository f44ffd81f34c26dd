/** A long table with one row chosen, and a button for more. */
import type { JSX } from "preact";
import { useCallback, useRef } from "preact/hooks";
import { isAbsent } from "../loading.ts";
import { Button, ProblemNote, Waiting } from "./basics.tsx";
import type { ColumnsKept } from "./columns-menu.tsx";
import type { Paged } from "./paged.ts";
import { type Column, Table } from "./table.tsx";

export function PagedTable<T>({
  label,
  paged,
  columns,
  kept,
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
  readonly kept: ColumnsKept;
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
    <div class="table-list rows" tabIndex={0} role="region" aria-label={label} aria-busy={isOld}>
      <Table
        rows={rows}
        columns={columns}
        kept={kept}
        keyOf={keyOf}
        chosen={chosen}
        onChoose={choose}
        sort={sort}
        {...(onSort && { onSort })}
      />
      {more && (
        <p class="more">
          <Button onClick={more}>Show more</Button>
        </p>
      )}
    </div>
  );
}
