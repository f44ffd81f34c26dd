/** Detects guests, sponsors and explicit words in the text of an episode. The README lists the rules. */
import { fold } from "./search/words.ts";

/** Limits the time for long texts: the rest is ignored. */
const READ_LETTERS_MAX = 20_000;

/** Searches for many phrases in one pass. It compares only phrases whose first two letters match. */
class Phrases {
  readonly #begins = new Uint8Array(2 ** 14);
  readonly #byBeginning = new Map<number, string[]>();

  constructor(all: readonly string[]) {
    for (const phrase of all) {
      const beginning = beginningAt(phrase, 0);
      this.#begins[beginning] = 1;
      this.#byBeginning.set(beginning, [...(this.#byBeginning.get(beginning) ?? []), phrase]);
    }
  }
  isOneIn(text: string): boolean {
    for (let at = 0; at + 1 < text.length; at += 1) {
      const beginning = beginningAt(text, at);
      if (this.#begins[beginning] === 0) continue;
      if (this.#byBeginning.get(beginning)?.some((phrase) => text.startsWith(phrase, at))) return true;
    }
    return false;
  }
}
/** Hash of two letters. A collision only costs an extra comparison. */
const beginningAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 0x7f) << 7) | (text.charCodeAt(at + 1) & 0x7f);

const guestPhrases = new Phrases([
  "interview with",
  "interviews with",
  "in conversation with",
  "conversation with",
  "my guest",
  "our guest",
  "special guest",
  "guest is",
  "guests are",
  "guest today",
  "today's guest",
  "today’s guest",
  "this week's guest",
  "guest:",
  "guests:",
  "joined by",
  "joins us",
  "joins me",
  "joins the show",
  "sits down with",
  "sat down with",
  "sit down with",
  "talks with",
  "talks to",
  "speaks with",
  "spoke with",
  "chats with",
  "interviewing",
  "interviewed",
  "interview:",
  "im gespräch mit",
  "zu gast",
  "entretien avec",
  "notre invité",
  "entrevista a",
  "entrevista con",
  "entrevista com",
  "intervista a",
  "intervista con",
]);
/** Names of guests follow these words in a title: "Black holes with Ann Example". */
const GUEST_IN_TITLE = /(?:^| )(?:with|w\/|ft\.?|feat\.?|featuring) \p{Lu}[\p{L}'’.-]{1,40} \p{Lu}/u;

const sponsorPhrases = new Phrases([
  "sponsored by",
  "our sponsor",
  "our sponsors",
  "today's sponsor",
  "this episode's sponsor",
  "sponsors:",
  "sponsor:",
  "sponsors of this",
  "brought to you by",
  "thanks to our partner",
  "promo code",
  "discount code",
  "coupon code",
  "offer code",
  "use code",
  "with code",
  "free trial at",
  "% off your",
  "advertising inquiries",
  "advertise on",
  "learn more about your ad choices",
  "support for this podcast comes from",
  "support for this show comes from",
  "unterstützt von",
  "gesponsert von",
  "präsentiert von",
  "werbepartner",
  "code promo",
  "sponsorisé par",
  "patrocinado por",
  "código promocional",
  "sponsorizzato da",
  "codice sconto",
]);

const explicitPhrases = new Phrases([
  "explicit content",
  "explicit language",
  "strong language",
  "adult content",
  "adult language",
  "mature content",
  "for mature audiences",
  "not safe for work",
  "listener discretion",
  "viewer discretion",
]);
const EXPLICIT_WORD =
  /(?:^|[^\p{L}\p{N}])(?:nsfw|18\+|xxx|f[u*]ck\p{L}{0,4}|sh[i*]t(?:ty|s)?|porn\p{L}{0,6})(?:$|[^\p{L}\p{N}])/u;

/** Prepared once, because all three detectors use it. */
export type DetectorText = { readonly title: string; readonly whole: string };
export const detectorTextOf = (title: string, text: string): DetectorText => ({
  title,
  whole: `${title}\n${text.slice(0, READ_LETTERS_MAX)}`.toLowerCase(),
});

export const hasGuestInterview = ({ title, whole }: DetectorText): boolean =>
  GUEST_IN_TITLE.test(title) || guestPhrases.isOneIn(whole);

export const hasSponsor = ({ whole }: DetectorText): boolean => sponsorPhrases.isOneIn(whole);

export const isExplicit = ({ whole }: DetectorText): boolean =>
  explicitPhrases.isOneIn(whole) || EXPLICIT_WORD.test(fold(whole));
