/** A table of live rows as a service declares it, with the pictures above it. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Answers } from "../generated/operations.ts";
import { useAnswer } from "../loading.ts";
import { Shown } from "./basics.tsx";
import { Code } from "./bodies/body-view.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./fields.tsx";
import { WidgetView } from "./widgets/widget.tsx";

export type View = Answers["medley.views"]["views"][number];

const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

/** Drawn by the server with templates that escape; script in it would not run, by the page's own policy. */
function Drawing({ title, svg }: { readonly title: string; readonly svg: string }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const drawn = document.importNode(
      new DOMParser().parseFromString(svg, "image/svg+xml").documentElement,
      true,
    );
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", title);
    place.current?.replaceChildren(drawn);
  }, [svg, title]);
  return (
    <figure class="panel drawing">
      <figcaption>{title}</figcaption>
      <div ref={place} />
    </figure>
  );
}

const FILTER_FROM = 8;

const PAGES: Readonly<Record<string, (id: string) => string>> = {
  resource: (arn) => `/console/resources?arn=${encodeURIComponent(arn)}`,
  job: (id) => `/console/jobs?id=${encodeURIComponent(id)}`,
  message: (id) => `/console/outbox?id=${encodeURIComponent(id)}`,
};
/** Where a table of a service is shown with those rows alone in which the text is found. */
export const viewAddress = (service: string, view: string, text: string): string =>
  `/console/services/${service}?${new URLSearchParams({ view, text })}`;

/** A cell that leads somewhere: to a page, to a row of another table of the same service, or to several. */
function Cell({
  value,
  link,
  first,
  service,
  onOpen,
}: {
  readonly value: unknown;
  readonly link: unknown;
  /** The first cell of its row. */
  readonly first: unknown;
  readonly service: string;
  readonly onOpen: (view: string, row: string) => void;
}): JSX.Element {
  const text = textOf(value);
  if (link === undefined || text === "") return <span>{text}</span>;
  if (typeof link === "string") {
    const href = PAGES[link]?.(text);
    return href === undefined ? <span>{text}</span> : <a href={href}>{text}</a>;
  }
  const { view, rowsOf } = link as { readonly view: string; readonly rowsOf?: string };
  if (rowsOf !== undefined) return <a href={viewAddress(service, rowsOf, textOf(first))}>{text}</a>;
  return (
    <button type="button" class="link-button" onClick={() => onOpen(view, text)}>
      {text}
    </button>
  );
}

type Order = { readonly column: number; readonly isDown: boolean };
/** The rows that a text is in, in the order that was asked for. */
function rowsShown<Value>(
  rows: readonly (readonly Value[])[],
  text: string,
  order: Order | undefined,
): readonly (readonly Value[])[] {
  const wanted = text.trim().toLowerCase();
  const shown = rows.filter(
    (row) => wanted === "" || row.some((value) => textOf(value).toLowerCase().includes(wanted)),
  );
  if (!order) return shown;
  return [...shown].sort((a, b) => {
    const compared = textOf(a[order.column]).localeCompare(textOf(b[order.column]), "en", { numeric: true });
    return order.isDown ? -compared : compared;
  });
}

/** Everything about one row, by its first cell. */
export function RowDetail({
  service,
  view,
  row,
  onClose,
}: {
  readonly service: string;
  readonly view: string;
  readonly row: string;
  readonly onClose: () => void;
}): JSX.Element {
  const loaded = useAnswer("medley.views.detail", { params: { service }, query: { view, row } });
  return (
    <Dialog title={row} onClose={onClose} isBroad>
      <Shown of={loaded}>
        {({ value, widgets }) => (
          <>
            {widgets.map((widget, at) => (
              <WidgetView key={at} widget={widget} />
            ))}
            <Code text={JSON.stringify(value, null, 2) ?? ""} language="json" label="Everything about it" />
          </>
        )}
      </Shown>
    </Dialog>
  );
}

export function ViewTable({
  view,
  service,
  sought,
  onOpen,
}: {
  readonly view: View;
  readonly service: string;
  /** What the address asks for in this table. */
  readonly sought: string | undefined;
  /** Shows what more there is to a row, of this table or of another. */
  readonly onOpen: (view: string, row: string) => void;
}): JSX.Element {
  const { title, columns, rows, drawings = [], widgets = [], links = {}, hasDetail } = view;
  const [text, setText] = useState(sought ?? "");
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (sought === undefined) return;
    setText(sought);
    place.current?.scrollIntoView();
  }, [sought]);
  const [order, setOrder] = useState<Order>();
  const shown = rowsShown(rows, text, order);
  const turn = (column: number) =>
    setOrder((before) => ({ column, isDown: before?.column === column ? !before.isDown : false }));
  return (
    <section class="section" ref={place}>
      <div class="section-head">
        <h2>{title}</h2>
        {(rows.length >= FILTER_FROM || text !== "") && (
          <TextField
            label={`Filter ${title}`}
            isHidden
            type="search"
            placeholder="Filter"
            value={text}
            onInput={setText}
          />
        )}
      </div>
      {drawings.map((drawing) => (
        <Drawing key={drawing.title} {...drawing} />
      ))}
      {widgets.map((widget, at) => (
        <WidgetView key={at} widget={widget} />
      ))}
      <div class="panel scroller" tabIndex={0} role="region" aria-label={title}>
        <table class="stacking">
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th
                  key={column}
                  scope="col"
                  aria-sort={order?.column === at ? (order.isDown ? "descending" : "ascending") : "none"}
                >
                  <button type="button" class="sort" onClick={() => turn(at)}>
                    {column}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              <tr key={at}>
                {row.map((value, column) => (
                  <td key={column} data-label={columns[column]}>
                    <Cell
                      value={value}
                      link={
                        links[columns[column] ?? ""] ??
                        (hasDetail && column === 0 ? { view: title } : undefined)
                      }
                      first={row[0]}
                      service={service}
                      onOpen={onOpen}
                    />
                  </td>
                ))}
              </tr>
            ))}
            {shown.length === 0 && (
              <tr>
                <td colSpan={columns.length} class="muted">
                  {rows.length === 0 ? "Nothing yet." : "Nothing fits the filter."}
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
    </section>
  );
}
