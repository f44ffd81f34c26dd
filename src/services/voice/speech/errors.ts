/** Errors of speech synthesis. */

/** First the reasons that the sender can fix. The last three are engine failures. */
export type SpeechErrorReason =
  | "badMarkup"
  | "empty"
  | "tooLong"
  | "unknownLanguage"
  | "unknownVoice"
  | "busy"
  | "engine"
  | "timeout";

export class SpeechError extends Error {
  readonly reason: SpeechErrorReason;

  constructor(reason: SpeechErrorReason, message: string) {
    super(message);
    this.name = "SpeechError";
    this.reason = reason;
  }

  get isCallerFault(): boolean {
    return this.reason !== "busy" && this.reason !== "engine" && this.reason !== "timeout";
  }
}

export type SourcePosition = {
  /** Zero-based index into the source text, in UTF-16 code units. */
  offset: number;
  /** One-based. */
  line: number;
  /** One-based. */
  column: number;
};

export class SsmlError extends SpeechError {
  readonly position: SourcePosition;

  constructor(message: string, position: SourcePosition) {
    super("badMarkup", `${message} (line ${position.line}, column ${position.column})`);
    this.name = "SsmlError";
    this.position = position;
  }
}
