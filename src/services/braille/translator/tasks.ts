/** What passes between the main thread and the workers. */
import type { DocumentKind } from "../domain/document.ts";
import type { Layout } from "../domain/layout.ts";
import type { Form } from "../domain/notation.ts";
import type { EngineName } from "./engine.ts";

/** An engine's process that nobody has asked for so long ends by itself. */
export const IDLE_SECONDS_MAX = 60;

type TextTask = {
  readonly text: string;
  readonly tableFile: string;
  readonly engine: EngineName;
  readonly languageName: string;
  readonly form: Form;
  readonly layout: Layout;
  /** The function that a script wants to be called. */
  readonly callback: string;
};
export type TranslateTask = TextTask & {
  readonly kind: "translate";
  readonly output: DocumentKind | "png" | "svg";
  /** Where the pictures of single cells are. */
  readonly imageFolderUrl: string;
};
export type TranslateBackTask = TextTask & { readonly kind: "translateBack"; readonly output: DocumentKind };
export type DrawCellTask = {
  readonly kind: "drawCell";
  readonly cell: number;
  readonly output: "gif" | "png" | "svg";
};
export type Task = TranslateTask | TranslateBackTask | DrawCellTask;

/** Ready bytes, so that the main thread has nothing to do but send them; or why there are none. */
export type Result =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly engine?: EngineName }
  | { readonly problem: Problem; readonly message: string };
export type Problem = "notBraille" | "pictureTooLarge" | "untranslatable";
