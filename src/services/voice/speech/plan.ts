/** Validates the content of a message and converts it to segments. */
import { SpeechError } from "./errors.ts";
import type { SpeechSegment } from "./segments.ts";
import { isSpeakable, toSpokenText } from "./spoken-text.ts";
import { parseSsml } from "./ssml.ts";
import { getEngineVoice } from "./voices.ts";

export type SpeechContent =
  | { kind: "text"; text: string; languageCode?: string; voiceId?: string }
  | { kind: "ssml"; text: string; languageCode?: string; voiceId?: string }
  | { kind: "callInstructions"; text: string };

/** Limit of spoken characters (not bytes). */
export const SPOKEN_LENGTH_MAX = 3000;
/** Limit of characters including markup. */
export const MARKUP_LENGTH_MAX = 6000;

function lengthOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

function checkLength(text: string, lengthMax: number, what: string): void {
  const length = lengthOf(text);
  if (length > lengthMax)
    throw new SpeechError(
      "tooLong",
      `The ${what} has ${length} characters; at most ${lengthMax} are allowed`,
    );
}

function segmentsOf(content: SpeechContent): SpeechSegment[] {
  if (content.kind === "callInstructions") {
    checkLength(content.text, MARKUP_LENGTH_MAX, "call instructions");
    return parseSsml(content.text, { voice: getEngineVoice(undefined, undefined), isCallInstructions: true });
  }
  const voice = getEngineVoice(content.languageCode, content.voiceId);
  if (content.kind === "ssml") {
    checkLength(content.text, MARKUP_LENGTH_MAX, "SSML");
    return parseSsml(content.text, { voice, isCallInstructions: false });
  }
  return [{ text: content.text, pauseMs: 0, rate: 1, volumeDb: 0, pitch: 1, voice }];
}

/**
 * Throws SpeechError if the content cannot be spoken. It is fast, so that a request can be rejected at once.
 */
export function planSpeech(content: SpeechContent): SpeechSegment[] {
  const written = segmentsOf(content);
  checkLength(written.map((segment) => segment.text).join(""), SPOKEN_LENGTH_MAX, "spoken text");
  const segments = written.map((segment) => ({ ...segment, text: toSpokenText(segment.text) }));
  if (!segments.some((segment) => isSpeakable(segment.text)))
    throw new SpeechError("empty", "The message has nothing that can be spoken");
  return segments;
}
