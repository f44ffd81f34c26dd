/** A table of live rows as a service declares it, with the pictures above it. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useAnswer } from "../loading.ts";
import { Shown } from "./basics.tsx";
import { Code } from "./bodies/body-view.tsx";
import { ColumnsMenu, useColumns } from "./columns-menu.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./fields.tsx";
import { NothingYet, RowsTable, type View } from "./view-rows.tsx";
import { WidgetView } from "./widgets/widget.tsx";

/** Drawn by the server with templates that escape; script in it would not run, by the page's own policy. */
function Drawing({ title, svg }: { readonly title: string; readonly svg: string }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  // Before anything is shown: what stands below it would move.
  useLayoutEffect(() => {
    const drawn = document.importNode(
      new DOMParser().parseFromString(svg, "image/svg+xml").documentElement,
      true,
    );
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", title);
    // A small diagram is not blown up; a large one is scrolled on a phone, so that its words can be read.
    const width = drawn.getAttribute("width");
    if (width !== null && drawn instanceof SVGElement && place.current) {
      drawn.style.maxWidth = `${width}px`;
      drawn.style.minWidth = `min(${width}px, 34rem)`;
      place.current.tabIndex = 0;
    }
    place.current?.replaceChildren(drawn);
  }, [svg, title]);
  return (
    <figure class="panel drawing">
      <figcaption>{title}</figcaption>
      <div class="drawn" ref={place} />
    </figure>
  );
}

const FILTER_FROM = 8;

/** Everything about one row, by its first cell. */
export function RowDetail({
  service,
  view,
  row,
  name,
  onClose,
}: {
  readonly service: string;
  readonly view: string;
  readonly row: string;
  readonly name: string;
  readonly onClose: () => void;
}): JSX.Element {
  const loaded = useAnswer("medley.views.detail", { params: { service }, query: { view, row } });
  return (
    <Dialog title={name} onClose={onClose} isBroad>
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
  readonly onOpen: (view: string, row: string, name: string) => void;
}): JSX.Element {
  const { title, columns, rows, drawings = [], widgets = [] } = view;
  const [text, setText] = useState(sought ?? "");
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (sought === undefined) return;
    setText(sought);
    place.current?.scrollIntoView();
  }, [sought]);
  const columnsKept = useColumns(`${service}/${title}`);
  return (
    <section class="section" ref={place}>
      <div class="section-head">
        <h2>{title}</h2>
        <div class="table-tools">
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
          {rows.length > 0 && <ColumnsMenu title={title} columns={columns} kept={columnsKept} />}
        </div>
      </div>
      {drawings.map((drawing) => (
        <Drawing key={drawing.title} {...drawing} />
      ))}
      {widgets.map((widget, at) => (
        <WidgetView key={at} widget={widget} />
      ))}
      {rows.length === 0 ? (
        <NothingYet service={service} madeBy={view.madeBy} />
      ) : (
        <RowsTable view={view} service={service} text={text} kept={columnsKept} onOpen={onOpen} />
      )}
    </section>
  );
}
