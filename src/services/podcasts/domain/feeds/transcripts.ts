/** Parses transcripts (SRT, VTT, JSON, HTML, plain text) and chapter files. */
import { webAddress } from "./addresses.ts";
import { parseOffset } from "./durations.ts";
import { cutText, decodeText } from "./encoding.ts";
import type { Chapter } from "./feed.ts";
import { cleanHtml, plainLine } from "./html.ts";

export type Cue = {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly speaker: string;
  readonly text: string;
};
export type Transcript = { readonly cues: readonly Cue[]; readonly text: string };

const CUES_MAX = 50_000;
const TEXT_MAX = 2_000_000;
const CHAPTERS_MAX = 500;

const TIMES = /^\s{0,20}([\d:.,]{3,20})\s{1,20}-->\s{1,20}([\d:.,]{3,20})/;
const VOICE = /^<v(?:\.[\w.]{1,60})?\s{1,10}([^>]{1,100})>/i;

/** SRT and VTT: blocks of lines with one line of times. Their other differences do not matter here. */
function timedCues(text: string): Cue[] {
  const cues: Cue[] = [];
  for (const block of text.replace(/\r\n?/g, "\n").split(/\n\s*\n/)) {
    const lines = block.split("\n");
    const at = lines.findIndex((line) => TIMES.test(line));
    const found = at < 0 ? null : TIMES.exec(lines[at] ?? "");
    const startSeconds = parseOffset(found?.[1] ?? "");
    const endSeconds = parseOffset(found?.[2] ?? "");
    if (startSeconds === undefined || endSeconds === undefined || cues.length >= CUES_MAX) continue;
    const said = lines.slice(at + 1).join(" ");
    const voice = VOICE.exec(said.trim())?.[1] ?? "";
    const line = plainLine(said, 2_000);
    if (line !== "") cues.push({ startSeconds, endSeconds, speaker: plainLine(voice, 100), text: line });
  }
  return cues;
}

const numberIn = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) ? value : 0;
const textIn = (value: unknown): string => (typeof value === "string" ? value : "");
type Member = Record<string, unknown>;

function jsonCues(text: string): Cue[] | undefined {
  const value = jsonIn(text);
  const all = Array.isArray(value) ? value : (value as Member | undefined)?.segments;
  if (!Array.isArray(all)) return undefined;
  return all
    .slice(0, CUES_MAX)
    .map((one: Member) => ({
      startSeconds: numberIn(one?.startTime ?? one?.start),
      endSeconds: numberIn(one?.endTime ?? one?.end),
      speaker: plainLine(textIn(one?.speaker), 100),
      text: plainLine(textIn(one?.body ?? one?.text), 2_000),
    }))
    .filter((cue) => cue.text !== "");
}
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A sentence can span many cues, so cues of the same speaker are joined. */
function textOfCues(cues: readonly Cue[]): string {
  let text = "";
  let speaker = "";
  for (const cue of cues) {
    if (cue.speaker !== "" && cue.speaker !== speaker) text += `${text === "" ? "" : "\n"}${cue.speaker}: `;
    else if (text !== "") text += " ";
    if (cue.speaker !== "") speaker = cue.speaker;
    text += cue.text;
  }
  return cutText(text, TEXT_MAX);
}

/**
 * The content decides the format. The media type only distinguishes HTML from plain text. Undefined if
 * empty.
 */
export function readTranscript(bytes: Uint8Array, contentType: string): Transcript | undefined {
  const text = decodeText(bytes, contentType).trim();
  const cues = text.startsWith("{") || text.startsWith("[") ? jsonCues(text) : timedCues(text);
  if (cues && cues.length > 0) return { cues, text: textOfCues(cues) };
  if (cues === undefined || text === "" || text.startsWith("WEBVTT")) return undefined;
  const isHtml = /html/i.test(contentType) || /^<(?:!doctype|html|p|cite|div)\b/i.test(text);
  const read = isHtml ? cleanHtml(text, { charactersMax: TEXT_MAX }).text : text.replace(/\r\n?/g, "\n");
  return read === "" ? undefined : { cues: [], text: cutText(read, TEXT_MAX) };
}

/** Chapters from a JSON file; undefined if it has none. */
export function readChapters(bytes: Uint8Array, contentType: string, base: string): Chapter[] | undefined {
  const all = (jsonIn(decodeText(bytes, contentType)) as Member | undefined)?.chapters;
  if (!Array.isArray(all)) return undefined;
  return all
    .slice(0, CHAPTERS_MAX)
    .filter(
      (one: Member) =>
        one?.toc !== false && typeof one?.startTime === "number" && (one.startTime as number) >= 0,
    )
    .map((one: Member) => ({
      startSeconds: numberIn(one.startTime),
      title: plainLine(textIn(one.title), 200),
      url: webAddress(textIn(one.url), base),
      image: webAddress(textIn(one.img), base),
    }))
    .sort((one, other) => one.startSeconds - other.startSeconds);
}
