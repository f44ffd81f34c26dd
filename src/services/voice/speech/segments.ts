/** What the engine is asked to say: pieces of text, each in one style and followed by a pause. */
import type { EngineVoice } from "./voices.ts";

export type SpeechStyle = {
  /** 1 is the voice's own speed, 2 twice as fast. */
  rate: number;
  /** Change in decibels; minus infinity is silence as long as the words would be. */
  volumeDb: number;
  /** 1 is the voice's own pitch, 2 an octave higher. */
  pitch: number;
  voice: EngineVoice;
};

export interface SpeechSegment extends SpeechStyle {
  /** May be empty: then the segment is a pause alone. */
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

/** Gathers segments; neighbours of one style become one segment so that the engine hears whole sentences. */
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

  /** The end of a sentence or paragraph: a pause of its own, unless a longer one already stands there. */
  addBoundary(pauseMs: number): void {
    this.#boundaryMs = Math.max(this.#boundaryMs, pauseMs);
  }

  #settleBoundary(): void {
    const last = this.segments.at(-1);
    if (last !== undefined) last.pauseMs = Math.max(last.pauseMs, this.#boundaryMs);
    this.#boundaryMs = 0;
  }
}
