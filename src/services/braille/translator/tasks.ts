/** Messages between the main thread and the workers. */
import type { DocumentKind } from "../domain/document.ts";
import type { Layout } from "../domain/layout.ts";
import type { Form } from "../domain/notation.ts";
import type { EngineName } from "./engine.ts";

/** An engine process ends after this idle time. */
export const IDLE_SECONDS_MAX = 60;

type TextTask = {
  readonly text: string;
  readonly tableFile: string;
  readonly engine: EngineName;
  readonly languageName: string;
  readonly form: Form;
  readonly layout: Layout;
  /** Name of the JSONP callback. */
  readonly callback: string;
};
export type TranslateTask = TextTask & {
  readonly kind: "translate";
  readonly output: DocumentKind | "png" | "svg";
  /** Base URL of the cell pictures. */
  readonly imageFolderUrl: string;
};
export type TranslateBackTask = TextTask & { readonly kind: "translateBack"; readonly output: DocumentKind };
export type DrawCellTask = {
  readonly kind: "drawCell";
  readonly cell: number;
  readonly output: "gif" | "png" | "svg";
};
export type Task = TranslateTask | TranslateBackTask | DrawCellTask;

/** Complete bytes that the main thread only sends, or a problem. */
export type Result =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly engine?: EngineName }
  | { readonly problem: Problem; readonly message: string };
export type Problem = "notBraille" | "pictureTooLarge" | "untranslatable";
