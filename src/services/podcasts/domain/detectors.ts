/** What a text says about an episode: guests, sponsors, explicit words. Rules of words, told in the service's README. */
import { fold } from "./search/words.ts";

/** Longer texts are read no further. */
const READ_LETTERS_MAX = 20_000;

const GUEST_PHRASES: readonly string[] = [
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
];
/** At the end of a title, names of people stand behind these: "Black holes with Ann Example". */
const GUEST_IN_TITLE = /(?:^| )(?:with|w\/|ft\.?|feat\.?|featuring) \p{Lu}[\p{L}'’.-]{1,40} \p{Lu}/u;

const SPONSOR_PHRASES: readonly string[] = [
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
];

const EXPLICIT_PHRASES: readonly string[] = [
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
];
const EXPLICIT_WORD =
  /(?:^|[^\p{L}\p{N}])(?:nsfw|18\+|xxx|f[u*]ck\p{L}{0,4}|sh[i*]t(?:ty|s)?|porn\p{L}{0,6})(?:$|[^\p{L}\p{N}])/u;

const readable = (title: string, text: string): string =>
  `${title}\n${text.slice(0, READ_LETTERS_MAX)}`.toLowerCase();
const holdsOne = (text: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => text.includes(phrase));

export const hasGuestInterview = (title: string, text: string): boolean =>
  GUEST_IN_TITLE.test(title) || holdsOne(readable(title, text), GUEST_PHRASES);

export const hasSponsor = (title: string, text: string): boolean =>
  holdsOne(readable(title, text), SPONSOR_PHRASES);

export function isExplicit(title: string, text: string): boolean {
  const whole = readable(title, text);
  return holdsOne(whole, EXPLICIT_PHRASES) || EXPLICIT_WORD.test(fold(whole));
}
