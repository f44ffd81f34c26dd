/** Converts Unicode text to ASCII words that the engine can read, in suitable pieces. */
import anyAscii from "any-ascii";

/** Longer runs of letters are no words. The engine's time grows with their square. */
const WORD_LENGTH_MAX = 32;
/** Longer numbers are read digit by digit. */
const NUMBER_LENGTH_MAX = 15;
/** Length of one engine run: whole sentences, but limited memory. */
const PIECE_LENGTH_MAX = 240;

const SENTENCE_PAUSE_MS = 350;
const CLAUSE_PAUSE_MS = 150;

const CURRENCY_NAMES: ReadonlyMap<string, string> = new Map([
  ["€", "euros"],
  ["£", "pounds"],
  ["¥", "yen"],
  ["₹", "rupees"],
  ["₩", "won"],
  ["₽", "roubles"],
]);

const SYMBOL_NAMES: ReadonlyMap<string, string> = new Map([
  ["°", " degrees "],
  ["×", " times "],
  ["÷", " divided by "],
  ["±", " plus or minus "],
  ["≈", " about "],
  ["≤", " at most "],
  ["≥", " at least "],
  ["™", ""],
  ["®", ""],
  ["©", " copyright "],
  ["½", " 1 half "],
  ["¼", " 1 quarter "],
  ["¾", " 3 quarters "],
  ["²", " squared "],
  ["³", " cubed "],
  ["&", " and "],
  ["@", " at "],
  ["=", " equals "],
  ["+", " plus "],
]);

export type SpokenPiece = {
  text: string;
  /** Pause after this piece, because the engine gets each piece separately. */
  pauseMs: number;
};

/** Keeps ASCII letters, digits and supported punctuation. The engine fails on brackets and other signs. */
export function toSpokenText(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(
      /([€£¥₹₩₽])\s?(\d[\d.,]*\d|\d)/gu,
      (_all, symbol, amount) => `${amount} ${CURRENCY_NAMES.get(symbol)}`,
    )
    .replaceAll(/[\p{Script=Han}\p{Script=Hangul}]/gu, (character) => `${anyAscii(character)} `)
    .replaceAll(/\p{Extended_Pictographic}/gu, (picture) => SYMBOL_NAMES.get(picture) ?? pictureName(picture))
    .replaceAll(/[^\w\s]/gu, (character) => SYMBOL_NAMES.get(character) ?? character)
    .replaceAll(/[^\p{ASCII}]/gu, (character) => anyAscii(character))
    .replaceAll(/[()[\]{}]/g, ", ")
    .replaceAll(/[^A-Za-z0-9 .,;:?!'$%#/-]/g, " ")
    .replaceAll(/[.,;:?!'$%#/-]{4,}/g, (signs) => `${signs.slice(0, 1)} `)
    .replaceAll(/\d+/g, (digits) => (digits.length > NUMBER_LENGTH_MAX ? [...digits].join(" ") : digits))
    .replaceAll(/\S+/g, splitLongWord)
    .replaceAll(/\s+/g, " ")
    .trim();
}

function pictureName(picture: string): string {
  return ` ${anyAscii(picture).replaceAll(/[:_]/g, " ")} `;
}

const WORD_PIECE = new RegExp(`.{1,${WORD_LENGTH_MAX}}`, "g");
function splitLongWord(word: string): string {
  if (word.length <= WORD_LENGTH_MAX) return word;
  return (word.match(WORD_PIECE) ?? []).join(" ");
}

export function isSpeakable(spokenText: string): boolean {
  return /[A-Za-z0-9$%#]/.test(spokenText);
}

/** Splits at ends of sentences, then of clauses, then between words. */
export function toPieces(spokenText: string): SpokenPiece[] {
  const pieces: SpokenPiece[] = [];
  let rest = spokenText.trim();
  while (rest.length > PIECE_LENGTH_MAX) {
    const cut = findCut(rest.slice(0, PIECE_LENGTH_MAX));
    pieces.push(pieceOf(rest.slice(0, cut)));
    rest = rest.slice(cut).trim();
  }
  if (rest !== "") pieces.push({ text: rest, pauseMs: 0 });
  return pieces.filter((piece) => isSpeakable(piece.text));
}

function findCut(window: string): number {
  for (const signs of [".?!", ",;:", undefined]) {
    const length = lengthToLastGap(window, signs);
    if (length > PIECE_LENGTH_MAX / 4) return length;
  }
  return window.length;
}
/** Length up to the last space after one of the signs, or up to the last space. */
function lengthToLastGap(window: string, signs: string | undefined): number {
  for (let at = window.length - 1; at >= 0; at -= 1)
    if (window[at] === " " && (signs === undefined || (at > 0 && signs.includes(window[at - 1] ?? ""))))
      return at + 1;
  return 0;
}

function pieceOf(raw: string): SpokenPiece {
  const text = raw.trim();
  if (/[.?!]$/.test(text)) return { text, pauseMs: SENTENCE_PAUSE_MS };
  return { text, pauseMs: /[,;:]$/.test(text) ? CLAUSE_PAUSE_MS : 0 };
}
