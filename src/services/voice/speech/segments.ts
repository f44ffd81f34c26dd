/** Input of the engine: pieces of text, each with one style and a pause. */
import type { EngineVoice } from "./voices.ts";

export type SpeechStyle = {
  /** 1 is the voice's normal speed, 2 is twice as fast. */
  rate: number;
  /** Change in decibels. Minus infinity is silence of the same duration. */
  volumeDb: number;
  /** 1 is the voice's normal pitch, 2 is an octave higher. */
  pitch: number;
  voice: EngineVoice;
};

export interface SpeechSegment extends SpeechStyle {
  /** If empty, the segment is only a pause. */
  text: string;
  /** Silence after the text. */
  pauseMs: number;
}

function hasStyle(segment: SpeechSegment, style: SpeechStyle): boolean {
  return (
    segment.rate === style.rate &&
    segment.volumeDb === style.volumeDb &&
    segment.pitch === style.pitch &&
    segment.voice === style.voice
  );
}

/** Collects segments. Neighbours of one style are merged, so that the engine gets whole sentences. */
export class SegmentList {
  readonly segments: SpeechSegment[] = [];
  #boundaryMs = 0;

  addText(text: string, style: SpeechStyle): void {
    const isBlank = text.trim() === "";
    if (!isBlank) this.#settleBoundary();
    const last = this.segments.at(-1);
    const isOpen = last !== undefined && last.pauseMs === 0;
    if (isOpen && (isBlank || hasStyle(last, style))) last.text += text;
    else if (!isBlank) this.segments.push({ ...style, text, pauseMs: 0 });
  }

  addPause(pauseMs: number, style: SpeechStyle): void {
    if (pauseMs === 0) return;
    const last = this.segments.at(-1);
    if (last === undefined) this.segments.push({ ...style, text: "", pauseMs });
    else last.pauseMs += pauseMs;
  }

  /** End of a sentence or paragraph: adds a pause, unless a longer one is already there. */
  addBoundary(pauseMs: number): void {
    this.#boundaryMs = Math.max(this.#boundaryMs, pauseMs);
  }

  #settleBoundary(): void {
    const last = this.segments.at(-1);
    if (last !== undefined) last.pauseMs = Math.max(last.pauseMs, this.#boundaryMs);
    this.#boundaryMs = 0;
  }
}
