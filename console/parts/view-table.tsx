/** A table of live rows as a service declares it, with the pictures above it. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Answers } from "../generated/operations.ts";
import { TextField } from "./fields.tsx";

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

export function ViewTable({ view }: { readonly view: View }): JSX.Element {
  const { title, columns, rows, drawings = [] } = view;
  const [text, setText] = useState("");
  const [order, setOrder] = useState<{ column: number; isDown: boolean }>();
  const wanted = text.trim().toLowerCase();
  let shown = rows.filter(
    (row) => wanted === "" || row.some((value) => textOf(value).toLowerCase().includes(wanted)),
  );
  if (order)
    shown = [...shown].sort((a, b) => {
      const compared = textOf(a[order.column]).localeCompare(textOf(b[order.column]), "en", {
        numeric: true,
      });
      return order.isDown ? -compared : compared;
    });
  const turn = (column: number) =>
    setOrder((before) => ({ column, isDown: before?.column === column ? !before.isDown : false }));
  return (
    <section class="section">
      <div class="section-head">
        <h2>{title}</h2>
        {rows.length >= FILTER_FROM && (
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
                    {textOf(value)}
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
