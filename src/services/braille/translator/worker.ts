/** The worker's entry: translates and writes the whole answer, up to its last byte. */
import { handOver } from "#kernel/workers";
import { documentOf, writtenPage } from "../domain/document.ts";
import { layOut, paragraphsOf } from "../domain/layout.ts";
import { NotBrailleError, readPage } from "../domain/notation.ts";
import { cellPictureOf, pictureOf, pictureSizeOf } from "../domain/picture.ts";
import { gifOfSvg, PictureTooLargeError, pngOf, zoomFor } from "./drawing.ts";
import { EngineError } from "./engine.ts";
import type { DrawCellTask, Problem, Result, Task, TranslateBackTask, TranslateTask } from "./tasks.ts";
import { Translator } from "./translate.ts";

const CELL_ZOOM = 2;

const translator = new Translator();
const encoder = new TextEncoder();

export async function run(task: Task): Promise<Result> {
  try {
    const made = make(task);
    // A copy of its own: the bytes may be part of a larger buffer that is not ours to give away.
    const bytes = typeof made === "string" ? encoder.encode(made) : new Uint8Array(made);
    return await handOver({ bytes }, bytes.buffer);
  } catch (error) {
    return { problem: problemOf(error), message: (error as Error).message };
  }
}

/** What a caller can do something about. Anything else is our mistake and goes up as it is. */
function problemOf(error: unknown): Problem {
  if (error instanceof NotBrailleError) return "notBraille";
  if (error instanceof PictureTooLargeError) return "pictureTooLarge";
  if (error instanceof EngineError) return "untranslatable";
  throw error;
}

function make(task: Task): string | Uint8Array {
  switch (task.kind) {
    case "translate":
      return translate(task);
    case "translateBack":
      return translateBack(task);
    case "drawCell":
      return drawCell(task);
  }
}

function translate(task: TranslateTask): string | Uint8Array {
  const { text, tableFile, languageName, form, layout, output, callback, imageFolderUrl } = task;
  const page = layOut(translator.translate(tableFile, text), layout);
  if (output === "svg") return pictureOf(page, text);
  if (output === "png") {
    const zoom = zoomFor(pictureSizeOf(page));
    return pngOf(pictureOf(page, text), zoom);
  }
  const translated = writtenPage(page, form, imageFolderUrl);
  return documentOf(output, callback, translated, { text, source: languageName, destination: form });
}

function translateBack(task: TranslateBackTask): string {
  const { text, tableFile, languageName, form, layout, output, callback } = task;
  const translated = translator.translateBack(tableFile, paragraphsOf(readPage(text, form), layout));
  return documentOf(output, callback, translated, { text, source: form, destination: languageName });
}

function drawCell({ cell, output }: DrawCellTask): string | Uint8Array {
  const svg = cellPictureOf(cell);
  if (output === "svg") return svg;
  return output === "png" ? pngOf(svg, CELL_ZOOM) : gifOfSvg(svg);
}
