/** Worker entry: translates and writes the complete response. */
import { handOver } from "#kernel/workers";
import { documentOf, writtenPage } from "../domain/document.ts";
import { layOut, paragraphsOf } from "../domain/layout.ts";
import { NotBrailleError, readPage } from "../domain/notation.ts";
import { cellPictureOf, pictureOf, pictureSizeOf } from "../domain/picture.ts";
import { BundledEngine } from "./bundled-engine.ts";
import { gifOfSvg, PictureTooLargeError, pngOf, zoomFor } from "./drawing.ts";
import { EngineError, type EngineName } from "./engine.ts";
import { SystemEngine } from "./system-engine.ts";
import { findSystemTablesFolder } from "./system-tables.ts";
import type { DrawCellTask, Problem, Result, Task, TranslateBackTask, TranslateTask } from "./tasks.ts";
import { Translator } from "./translate.ts";

const CELL_ZOOM = 2;

const translators: Readonly<Record<EngineName, Translator>> = {
  bundled: new Translator(new BundledEngine()),
  system: new Translator(new SystemEngine(findSystemTablesFolder() ?? "")),
};
const encoder = new TextEncoder();

export async function run(task: Task): Promise<Result> {
  try {
    const { made, engine } = await make(task);
    // Copies the bytes, because they may be part of a larger buffer that must not be transferred.
    const bytes = typeof made === "string" ? encoder.encode(made) : new Uint8Array(made);
    return await handOver({ bytes, ...(engine && { engine }) }, bytes.buffer);
  } catch (error) {
    return { problem: problemOf(error), message: (error as Error).message };
  }
}

/** Problems that the caller can fix. Other errors are defects and are rethrown. */
function problemOf(error: unknown): Problem {
  if (error instanceof NotBrailleError) return "notBraille";
  if (error instanceof PictureTooLargeError) return "pictureTooLarge";
  if (error instanceof EngineError) return "untranslatable";
  throw error;
}

type Made = { readonly made: string | Uint8Array; readonly engine?: EngineName };

async function make(task: Task): Promise<Made> {
  if (task.kind === "drawCell") return { made: drawCell(task) };
  const makeWith = async (engine: EngineName): Promise<Made> => {
    const translator = translators[engine];
    const made = await (task.kind === "translate"
      ? translate(task, translator)
      : translateBack(task, translator));
    return { made, engine };
  };
  if (task.engine === "bundled") return makeWith("bundled");
  return makeWith("system").catch((error: unknown) => {
    // The bundled library may handle input on which the system's library fails.
    if (error instanceof EngineError) return makeWith("bundled");
    throw error;
  });
}

async function translate(task: TranslateTask, translator: Translator): Promise<string | Uint8Array> {
  const { text, tableFile, languageName, form, layout, output, callback, imageFolderUrl } = task;
  const page = layOut(await translator.translate(tableFile, text), layout);
  if (output === "svg") return pictureOf(page, text);
  if (output === "png") {
    const zoom = zoomFor(pictureSizeOf(page));
    return pngOf(pictureOf(page, text), zoom);
  }
  const translated = writtenPage(page, form, imageFolderUrl);
  return documentOf(output, callback, translated, { text, source: languageName, destination: form });
}

async function translateBack(task: TranslateBackTask, translator: Translator): Promise<string> {
  const { text, tableFile, languageName, form, layout, output, callback } = task;
  const paragraphs = paragraphsOf(readPage(text, form), layout);
  const translated = await translator.translateBack(tableFile, paragraphs);
  return documentOf(output, callback, translated, { text, source: form, destination: languageName });
}

function drawCell({ cell, output }: DrawCellTask): string | Uint8Array {
  const svg = cellPictureOf(cell);
  if (output === "svg") return svg;
  return output === "png" ? pngOf(svg, CELL_ZOOM) : gifOfSvg(svg);
}
