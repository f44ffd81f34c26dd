/** Which columns of a table the reader wants to see. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Check } from "./fields.tsx";

export type ColumnsKept = {
  readonly hidden: readonly string[];
  readonly isWhole: boolean;
  readonly choose: (next: { readonly hidden?: readonly string[]; readonly isWhole?: boolean }) => void;
};
/**
 * Which columns of a table the reader hid, and whether identifiers are shown whole; kept in the browser.
 * `hidden`: until the reader chose.
 */
export function useColumns(table: string, hidden: readonly string[] = []): ColumnsKept {
  const key = `medley-columns:${table}`;
  const [kept, setKept] = useState<{ hidden: readonly string[]; isWhole: boolean }>(() => ({
    hidden,
    isWhole: false,
    ...JSON.parse(localStorage.getItem(key) ?? "{}"),
  }));
  const choose: ColumnsKept["choose"] = (next) => {
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
  readonly kept: ColumnsKept;
}): JSX.Element {
  const { hidden, isWhole, choose } = kept;
  const [isOpen, setOpen] = useState(false);
  const turn = (column: string, isOn: boolean) =>
    choose({ hidden: isOn ? hidden.filter((one) => one !== column) : [...hidden, column] });
  return (
    <details
      class="columns-menu"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onFocusOut={closeBehind}
      onKeyDown={closeByKey}
    >
      <summary class="button quiet" aria-label={`Columns of ${title}`}>
        Columns
      </summary>
      {isOpen && (
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
      )}
    </details>
  );
}
