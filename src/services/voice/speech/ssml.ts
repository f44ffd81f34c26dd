/** Converts SSML and call instructions to segments. Unknown markup is rejected with its position. */
import { SpeechError, SsmlError } from "./errors.ts";
import { findSayAsFault, sayAs } from "./say-as.ts";
import { SegmentList, type SpeechSegment, type SpeechStyle } from "./segments.ts";
import {
  BREAK_DEFAULT_MS,
  findPitch,
  findRate,
  findStrengthMs,
  findTimeMs,
  findVolumeDb,
  PAUSE_MS_MAX,
} from "./ssml-values.ts";
import { type EngineVoice, getEngineVoice, isKnownLanguage } from "./voices.ts";
import { positionAt, readXml, type XmlHandler } from "./xml-reader.ts";

export type SsmlOptions = {
  voice: EngineVoice;
  /** Call instructions: the outer speak element is optional, and `<wait time="2s"/>` is a pause. */
  isCallInstructions: boolean;
};

type Attributes = ReadonlyMap<string, string>;
/** Allowed content of an element. */
type Content = "mixed" | "text" | "nothing";

type ElementRule = {
  content: Content;
  attributes: readonly string[];
  notInside?: readonly string[];
  open(style: SpeechStyle, attributes: Attributes, interpreter: SsmlInterpreter): SpeechStyle;
  close?(text: string, attributes: Attributes, style: SpeechStyle, interpreter: SsmlInterpreter): void;
};

type OpenElement = {
  name: string;
  rule: ElementRule;
  attributes: Attributes;
  style: SpeechStyle;
  text: string;
};

const PARAGRAPH_PAUSE_MS = 700;
const SENTENCE_PAUSE_MS = 400;
const SEGMENTS_MAX = 1000;
const RATE_MIN = 0.2;
const RATE_MAX = 3;
const VOLUME_DB_MIN = -60;
const VOLUME_DB_MAX = 12;
const PITCH_MIN = 0.5;
const PITCH_MAX = 2;

const EMPHASES: ReadonlyMap<string, { rate: number; volumeDb: number }> = new Map([
  ["strong", { rate: 0.85, volumeDb: 4 }],
  ["moderate", { rate: 0.92, volumeDb: 2 }],
  ["none", { rate: 1, volumeDb: 0 }],
  ["reduced", { rate: 1.08, volumeDb: -2 }],
]);

const same = (style: SpeechStyle): SpeechStyle => style;

function boundaryRule(pauseMs: number, notInside: readonly string[]): ElementRule {
  return {
    content: "mixed",
    attributes: ["xml:lang"],
    notInside,
    open(style, _attributes, interpreter) {
      interpreter.list.addBoundary(pauseMs);
      return style;
    },
    close: (_text, _attributes, _style, interpreter) => interpreter.list.addBoundary(pauseMs),
  };
}

const breakRule: ElementRule = {
  content: "nothing",
  attributes: ["time", "strength"],
  open(style, attributes, interpreter) {
    const strength = interpreter.findValue(attributes, "strength", findStrengthMs);
    const time = interpreter.findValue(attributes, "time", findTimeMs);
    interpreter.list.addPause(time ?? strength ?? BREAK_DEFAULT_MS, style);
    return style;
  },
};

const waitRule: ElementRule = {
  content: "nothing",
  attributes: ["time"],
  open(style, attributes, interpreter) {
    interpreter.need(attributes, "time");
    interpreter.list.addPause(interpreter.findValue(attributes, "time", findTimeMs) ?? 0, style);
    return style;
  },
};

const prosodyRule: ElementRule = {
  content: "mixed",
  attributes: ["rate", "volume", "pitch"],
  open(style, attributes, interpreter) {
    if (attributes.size === 0) interpreter.fail("<prosody> needs one of the attributes rate, volume, pitch");
    const rate = interpreter.findValue(attributes, "rate", findRate) ?? 1;
    const volumeDb = interpreter.findValue(attributes, "volume", findVolumeDb) ?? 0;
    const pitch = interpreter.findValue(attributes, "pitch", findPitch) ?? 1;
    return changed(style, rate, volumeDb, pitch);
  },
};

const emphasisRule: ElementRule = {
  content: "mixed",
  attributes: ["level"],
  open(style, attributes, interpreter) {
    const change = interpreter.findValue(attributes, "level", (level) => EMPHASES.get(level));
    return changed(style, change?.rate ?? 0.92, change?.volumeDb ?? 2, 1);
  },
};

const sayAsRule: ElementRule = {
  content: "text",
  attributes: ["interpret-as", "format", "detail"],
  open(style, attributes, interpreter) {
    const fault = findSayAsFault(interpreter.need(attributes, "interpret-as"), attributes.get("format"));
    if (fault !== undefined) interpreter.fail(fault);
    return style;
  },
  close(text, attributes, style, interpreter) {
    const words = sayAs(text, attributes.get("interpret-as") ?? "", attributes.get("format"));
    interpreter.list.addText(` ${words} `, style);
  },
};

const subRule: ElementRule = {
  content: "text",
  attributes: ["alias"],
  open(style, attributes, interpreter) {
    interpreter.need(attributes, "alias");
    return style;
  },
  close: (_text, attributes, style, interpreter) =>
    interpreter.list.addText(attributes.get("alias") ?? "", style),
};

/** The engine does not support phonetic alphabets, so the written word is spoken. */
const phonemeRule: ElementRule = {
  content: "text",
  attributes: ["alphabet", "ph"],
  open(style, attributes, interpreter) {
    interpreter.need(attributes, "ph");
    interpreter.findValue(attributes, "alphabet", (name) =>
      /^(?:ipa|x-sampa)$/.test(name) ? name : undefined,
    );
    return style;
  },
  close: (text, _attributes, style, interpreter) => interpreter.list.addText(text, style),
};

const langRule: ElementRule = {
  content: "mixed",
  attributes: ["xml:lang", "onlangfailure"],
  open(style, attributes, interpreter) {
    const language = interpreter.need(attributes, "xml:lang");
    if (!isKnownLanguage(language)) interpreter.fail(`The language "${language}" is not known`);
    return style;
  },
};

const voiceRule: ElementRule = {
  content: "mixed",
  attributes: ["name", "xml:lang"],
  open(style, attributes, interpreter) {
    try {
      const voice = getEngineVoice(attributes.get("xml:lang"), interpreter.need(attributes, "name"));
      return { ...style, voice };
    } catch (error) {
      if (error instanceof SpeechError && !(error instanceof SsmlError)) interpreter.fail(error.message);
      throw error;
    }
  },
};

const markRule: ElementRule = {
  content: "nothing",
  attributes: ["name"],
  open(style, attributes, interpreter) {
    interpreter.need(attributes, "name");
    return style;
  },
};

const RULES: ReadonlyMap<string, ElementRule> = new Map<string, ElementRule>([
  [
    "speak",
    { content: "mixed", attributes: ["version", "xml:lang", "xml:base", "xsi:schemaLocation"], open: same },
  ],
  ["p", boundaryRule(PARAGRAPH_PAUSE_MS, ["p", "s"])],
  ["s", boundaryRule(SENTENCE_PAUSE_MS, ["s"])],
  ["break", breakRule],
  ["prosody", prosodyRule],
  ["emphasis", emphasisRule],
  ["say-as", sayAsRule],
  ["sub", subRule],
  ["phoneme", phonemeRule],
  ["lang", langRule],
  ["voice", voiceRule],
  ["w", { content: "mixed", attributes: ["role"], open: same }],
  ["mark", markRule],
]);

function changed(style: SpeechStyle, rate: number, volumeDb: number, pitch: number): SpeechStyle {
  const volume = style.volumeDb + volumeDb;
  return {
    ...style,
    rate: Math.min(RATE_MAX, Math.max(RATE_MIN, style.rate * rate)),
    volumeDb: Number.isFinite(volume) ? Math.min(VOLUME_DB_MAX, Math.max(VOLUME_DB_MIN, volume)) : volume,
    pitch: Math.min(PITCH_MAX, Math.max(PITCH_MIN, style.pitch * pitch)),
  };
}

class SsmlInterpreter implements XmlHandler {
  readonly list = new SegmentList();
  readonly #source: string;
  readonly #options: SsmlOptions;
  readonly #outerStyle: SpeechStyle;
  readonly #open: OpenElement[] = [];
  #offset = 0;

  constructor(source: string, options: SsmlOptions) {
    this.#source = source;
    this.#options = options;
    this.#outerStyle = { rate: 1, volumeDb: 0, pitch: 1, voice: options.voice };
  }

  open(name: string, attributes: Attributes, offset: number): void {
    this.#offset = offset;
    const rule = this.#getRule(name);
    this.#checkPlace(name, rule);
    for (const attribute of attributes.keys()) {
      const isNamespace = attribute === "xmlns" || attribute.startsWith("xmlns:");
      if (!isNamespace && !rule.attributes.includes(attribute))
        this.fail(`The attribute ${attribute} is not supported on <${name}>`);
    }
    const style = rule.open(this.#open.at(-1)?.style ?? this.#outerStyle, attributes, this);
    this.#open.push({ name, rule, attributes, style, text: "" });
  }

  text(text: string, offset: number): void {
    this.#offset = offset;
    const parent = this.#open.at(-1);
    if (parent?.rule.content === "text") parent.text += text;
    else if (parent?.rule.content !== "nothing") this.list.addText(text, parent?.style ?? this.#outerStyle);
    else if (text.trim() !== "") this.fail(`<${parent.name}> must be empty`);
    if (this.list.segments.length > SEGMENTS_MAX)
      this.fail(`More than ${SEGMENTS_MAX} changes of style or pauses`);
  }

  close(_name: string, offset: number): void {
    this.#offset = offset;
    const element = this.#open.pop();
    if (element === undefined) return;
    const { rule, text, attributes } = element;
    rule.close?.(text, attributes, element.style, this);
  }

  need(attributes: Attributes, name: string): string {
    const value = attributes.get(name);
    return value === undefined || value.trim() === "" ? this.fail(`The attribute ${name} is missing`) : value;
  }

  findValue<Value>(
    attributes: Attributes,
    name: string,
    read: (value: string) => Value | undefined,
  ): Value | undefined {
    const value = attributes.get(name);
    if (value === undefined) return undefined;
    const limit = name === "time" ? `; a time is written 500ms or 2s, at most ${PAUSE_MS_MAX / 1000}s` : "";
    return read(value) ?? this.fail(`The value "${value}" of the attribute ${name} is not supported${limit}`);
  }

  fail(message: string): never {
    throw new SsmlError(message, positionAt(this.#source, this.#offset));
  }

  #getRule(name: string): ElementRule {
    if (name === "wait" && this.#options.isCallInstructions) return waitRule;
    return RULES.get(name) ?? this.fail(`The element <${name}> is not supported`);
  }

  #checkPlace(name: string, rule: ElementRule): void {
    const parent = this.#open.at(-1);
    if (parent === undefined && name !== "speak" && !this.#options.isCallInstructions)
      this.fail(`The outermost element must be <speak>, not <${name}>`);
    if (parent !== undefined && name === "speak") this.fail("<speak> must be the outermost element");
    if (parent !== undefined && parent.rule.content !== "mixed")
      this.fail(`<${name}> is not allowed inside <${parent.name}>`);
    const around = this.#open.find((element) => rule.notInside?.includes(element.name));
    if (around !== undefined) this.fail(`<${name}> is not allowed inside <${around.name}>`);
  }
}

export function parseSsml(source: string, options: SsmlOptions): SpeechSegment[] {
  const interpreter = new SsmlInterpreter(source, options);
  readXml(source, interpreter, { isFragment: options.isCallInstructions });
  return interpreter.list.segments;
}
