/** Cells of tables. What a value is decides how it is shown: a moment, a state, a long identifier, or plain text. */
import type { JSX } from "preact";
import { useStore } from "../store.ts";
import { distanceText, momentText } from "../texts.ts";
import { capitalized, wordsOf } from "../words.ts";
import { Tag } from "./basics.tsx";
import { kernelNowIso, kernelTime, timeZone } from "./kernel-time.ts";
import { textOf } from "./values.ts";

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const isMoment = (text: string): boolean => MOMENT.test(text);

/** How far away it is; the exact moment on hover. */
export function Moment({ at }: { readonly at: string }): JSX.Element {
  const heard = useStore(kernelTime);
  const zone = useStore(timeZone);
  const now = heard ? kernelNowIso(heard) : new Date().toISOString();
  return (
    <time dateTime={at} title={`${momentText(at)} ${zone === "UTC" ? "UTC" : "in your time zone"}`}>
      {distanceText(now, at)}
    </time>
  );
}

const GOOD =
  /^(?:completed?|succeeded|success(?:ful)?|active|available|enabled|approved|accepted|published|ready|online|normal|delivered|confirmed|finished|ok|paid|deployed|settled|done|trained|enforced|unpacked|answered|completedcall|updatecomplete)$/;
const BAD =
  /^(?:failed|failure|error|aborted|expired|rejected|denied|alarm|unhealthy|offline|blocked|declined|lost|damaged|updatefailed)$/;
const WAITING =
  /^(?:pending|created|creating|updating|deleting|running|waiting|queued|paused|pausing|resuming|disabled|partial|cancell?ed|stopping|stopped|deploying|training|inprogress|scaling|revoked|suspended|inactive|ringing|initiatedcall|busy|noanswer|latched)$/;
const STATE_COLUMN = /(?:^|\b)(?:status|state|outcome|result|decision|order|verdict|training)$/i;
export function toneOf(word: string): "good" | "bad" | "warn" | "plain" {
  const plain = word.toLowerCase().replace(/[^a-z]/g, "");
  if (GOOD.test(plain)) return "good";
  if (BAD.test(plain)) return "bad";
  return WAITING.test(plain) ? "warn" : "plain";
}
const STATE_LENGTH_MAX = 32;
const isState = (column: string, text: string): boolean =>
  STATE_COLUMN.test(column) && text !== "" && text.length <= STATE_LENGTH_MAX;
export function State({ word }: { readonly word: string }): JSX.Element {
  const words = wordsOf(word);
  return (
    <Tag tone={toneOf(word)} title={words === word ? undefined : word}>
      {capitalized(words)}
    </Tag>
  );
}

const KIND_COLUMN = /(?:^|\b)(?:type|kind|class|action|category)$/i;
const PLAIN_WORDS = /^[a-z]+(?: [a-z]+)*$/;
/** Constants are shown as words; the constant itself is seen on hover. Elsewhere only unmistakable ones are. */
export function wordsIn(column: string, text: string): string {
  if (!KIND_COLUMN.test(column) && !STATE_COLUMN.test(column))
    return text.includes("_") && !/[a-z]/.test(text) ? wordsOf(text) : text;
  const words = wordsOf(text);
  return PLAIN_WORDS.test(words) ? capitalized(words) : words;
}

const SHARE = /^(\d{1,3}) %$/;
const isShare = (text: string): boolean => SHARE.test(text);
/** How far something has come: a bar, and the number. */
export const Share = ({ text }: { readonly text: string }): JSX.Element => (
  <span class="share">
    <progress max={100} value={Number.parseInt(text, 10)} aria-label="Progress" />
    {text}
  </span>
);

const SHORTENED_FROM = 30;
const TAIL = 16;
export const isLongIdentifier = (text: string): boolean => text.length >= SHORTENED_FROM && !/\s/.test(text);
/** Shortened in the middle by the page's style, so that it is still read, selected and found as a whole. */
export const Identifier = ({ text }: { readonly text: string }): JSX.Element => (
  <span class="identifier" title={text}>
    <span>{text.slice(0, -TAIL)}</span>
    <span>{text.slice(-TAIL)}</span>
  </span>
);

const NAMES =
  /^(?:name|title|headline|function|job|store|vault|group|model|application|rule|control|key|intent|subject)$/i;
/** Of what people named themselves. They know it by the whole name, not by its beginning and end. */
const isNameColumn = (column: string): boolean => NAMES.test(column);
/** Of a name within places, such as `projects/demo/functions/greeter`, the places are shortened instead. */
const Name = ({ text }: { readonly text: string }): JSX.Element => {
  const start = isLongIdentifier(text) ? text.lastIndexOf("/") + 1 : 0;
  return (
    <span class="chosen-name" title={text}>
      {start > 0 && <span class="places">{text.slice(0, start)}</span>}
      <span>{text.slice(start)}</span>
    </span>
  );
};

export function Value({ column, value }: { readonly column: string; readonly value: unknown }): JSX.Element {
  const text = textOf(value);
  if (typeof value === "boolean") return <span>{value ? "yes" : "no"}</span>;
  if (isMoment(text)) return <Moment at={text} />;
  if (isShare(text)) return <Share text={text} />;
  if (isState(column, text)) return <State word={text} />;
  if (isNameColumn(column)) return <Name text={wordsIn(column, text)} />;
  if (isLongIdentifier(text)) return <Identifier text={text} />;
  return <span title={text}>{wordsIn(column, text)}</span>;
}
