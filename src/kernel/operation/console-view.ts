/** What a service shows in the console, declared as data without browser code. */
import type { Context } from "./context.ts";

/** Whole SVG documents, made with templates that escape. */
export type Drawing = { readonly title: string; readonly svg: string };

/**
 * The target of a cell: a resource by its ARN, a job or message by its id, a page of this server by its path, a row of
 * another view by its first cell, or all rows of another view that contain the first cell of this row.
 */
type LinkTarget =
  | "resource"
  | "job"
  | "message"
  | "page"
  | { readonly view: string }
  | { readonly rowsOf: string };

type Titled<Kind extends string> = { readonly kind: Kind; readonly title: string };
type Bytes = { readonly type: string; readonly bytes: Uint8Array };
/** All widgets that exist. Texts are never markup. */
export type Widget =
  | (Titled<"timeline"> & {
      readonly events: readonly { readonly at: string; readonly text: string; readonly state?: string }[];
    })
  | (Titled<"chart"> & {
      /**
       * `columns` stand side by side, in the order of time. The names of `steps` are ISO times, and a value stays until
       * the next one.
       */
      readonly form: "bars" | "columns" | "line" | "steps";
      readonly unit: string;
      /** `text`: the value with its unit, if a plain number is not enough. */
      readonly points: readonly { readonly name: string; readonly value: number; readonly text?: string }[];
    })
  | (Titled<"picture"> & Bytes)
  | (Titled<"audio"> & Bytes)
  | (Titled<"code"> & { readonly language: string; readonly text: string })
  | (Titled<"diff"> & { readonly before: string; readonly after: string });

/** A table of live rows, and what is shown above it. */
export type ConsoleView = {
  readonly title: string;
  readonly columns: readonly string[];
  /** False: it is left out while it has no rows. */
  readonly isShownEmpty?: boolean;
  /** The operation that fills it, of this service or of another. The console names it while there are no rows. */
  readonly madeBy?: string;
  rows(context: Context, limit: number): Promise<readonly (readonly unknown[])[]>;
  /** For live updates: the rows after the one that begins with `after`, the oldest first. */
  rowsAfter?(context: Context, after: string, limit: number): Promise<readonly (readonly unknown[])[]>;
  drawings?(context: Context): Promise<readonly Drawing[]>;
  /** Columns whose cells are links. */
  readonly links?: Readonly<Record<string, LinkTarget>>;
  widgets?(context: Context): Promise<readonly Widget[]>;
  /** Details of a row, found by its first cell, with widgets of its own. */
  detail?(context: Context, first: string): Promise<ViewDetail | undefined>;
};
type ViewDetail = { readonly value: unknown; readonly widgets?: readonly Widget[] };
