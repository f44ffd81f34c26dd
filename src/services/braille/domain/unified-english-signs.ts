/**
 * Signs of Unified English Braille that the bundled table of 2017 lacks or writes differently. The source is
 * liblouis 3.24.
 */

/** Each row: cells of the mark, then letters that have it. The cells of the base letter follow the mark. */
const STRUCK: readonly (readonly [mark: string, letters: string])[] = [
  [
    "4-25",
    "b\u0180\u0243 g\u01e5\u01e4 i\u0268\u0197 j\u0249\u0248 r\u024d\u024c y\u024f\u024e z\u01b6\u01b5",
  ],
  ["4-25", "p\u1d7d\u2c63 k\ua741\ua740 p\ua751\ua750 q\ua757\ua756 f\ua799\ua798"],
  [
    "4-16",
    "a\u2c65\u023a c\u023c\u023b t\u2c66\u023e e\u0247\u0246 k\ua743\ua742 q\ua759\ua758 v\ua75f\ua75e",
  ],
];
/** Lower-case and upper-case letters with special cells. */
const LETTERS: readonly (readonly [small: string, capital: string, dots: string])[] = [
  ["\u00df", "\u1e9e", "46-2346"],
  ["\u01dd", "\u018e", "456-26"],
];
/** Ligatures: a joining sign separates their letters. */
const LIGATURES: readonly (readonly [ligature: string, dots: string])[] = [
  ["\u0132", "6-24-6-45-235-245"],
  ["\u0133", "24-45-235-245"],
  ["\ufb00", "124-45-235-124"],
  ["\ufb01", "124-45-235-24"],
  ["\ufb05", "124-45-235-2345"],
  ["\ufb06", "234-45-235-2345"],
];
/** Suffix of a sign that is struck through. */
const STRUCK_THROUGH = "4-156";
const NEGATED: readonly (readonly [signs: string, dots: string])[] = [
  ["\u2204", "45-26"],
  ["\u2209", "45-15"],
  ["\u220c", "4-45-15"],
  ["\u2224", "456-1256"],
  ["\u2226", "3456-123"],
  ["\u2241", "4-35"],
  ["\u2244", "456-35"],
  ["\u2247", "5-456-35"],
  ["\u2249", "45-35"],
  ["\u2262", "456-123456"],
  ["\u226e", "4-126"],
  ["\u226f", "4-345"],
  ["\u2270", "456-4-126"],
  ["\u2271", "456-4-345"],
  ["\u2284", "45-126"],
  ["\u2285", "45-345"],
  ["\u2288", "456-45-126"],
  ["\u2289", "456-45-345"],
  ["\u22ac", "456-25"],
  ["\u22ad", "45-456-25"],
  ["\u22ea", "4-456-126"],
  ["\u22eb", "4-456-345"],
  ["\u22ec", "456-456-126"],
  ["\u22ed", "456-456-345"],
];
const ARROW = "56-1256";
const ARROWS: readonly (readonly [arrow: string, dots: string])[] = [
  ["\u2196", "156"],
  ["\u2197", "234"],
  ["\u2198", "126"],
  ["\u2199", "345"],
  ["\u21a6", "1256"],
  ["\u21b2", "256"],
  ["\u21b3", "356"],
  ["\u21c0", "4-1235"],
  ["\u21c1", "6-1235"],
  ["\u21d2", "2356-2356"],
];
const OTHERS: readonly (readonly [sign: string, dots: string])[] = [
  ["\u02c7", "45-345"],
  ["\u02da", "45-1246"],
  ["\u2189", "3456-245-34-14"],
  ["\u2206", "6-46-145"],
  ["\u220f", "6-46-1234"],
  ["\u2211", "6-46-234"],
  ["\u22a2", "456-25"],
  ["\u2713", "4-146"],
  ["\u2714", "4-146"],
  ["\u27c2", "3456-36"],
  ["\u2980", "3456-456-123"],
  ["\u2a23", "45-146-5-235"],
  ["\u2a24", "45-12456-5-235"],
  ["\u2af4", "3456-456-123"],
  ["\u2afc", "3456-456-123"],
];

/**
 * A full stop or comma between a letter and a digit belongs to the letter, as in "p.7". The engine of 2017
 * takes it as the start of the number, so a private-use character replaces it.
 */
const AFTER_LETTERS: ReadonlyMap<string, readonly [own: string, dots: string]> = new Map([
  [".", ["\ue02e", "256"]],
  [",", ["\ue02c", "2"]],
]);
const BETWEEN_LETTER_AND_DIGIT = /(?<=\p{L})[.,](?=\d)/gu;
export const withPunctuationOfLetters = (text: string): string =>
  text.replace(BETWEEN_LETTER_AND_DIGIT, (sign) => AFTER_LETTERS.get(sign)?.[0] ?? sign);

export const hexadecimal = (character: string): string =>
  `\\x${(character.codePointAt(0) as number).toString(16).padStart(4, "0")}`;

/** Rules that are appended to the table. `dotsOfLetter` writes the cell of a Latin letter. */
export function signRules(dotsOfLetter: (letter: string) => string): string {
  const pair = (small: string, capital: string, dots: string) =>
    `uplow ${hexadecimal(capital)}${hexadecimal(small)} ${dots}`;
  const sign = (character: string, dots: string) => `sign ${hexadecimal(character)} ${dots}`;
  const rules = [
    ...STRUCK.flatMap(([mark, letters]) =>
      letters
        .split(" ")
        .map(([base = "", small = "", capital = ""]) =>
          pair(small, capital, `${mark}-${dotsOfLetter(base)}`),
        ),
    ),
    ...LETTERS.map(([small, capital, dots]) => pair(small, capital, dots)),
    ...LIGATURES.map(([ligature, dots]) => sign(ligature, dots)),
    ...NEGATED.map(([character, dots]) => sign(character, `${dots}-${STRUCK_THROUGH}`)),
    ...ARROWS.map(([arrow, dots]) => sign(arrow, `${ARROW}-${dots}`)),
    ...OTHERS.map(([character, dots]) => sign(character, dots)),
    ...[...AFTER_LETTERS.values()].map(([own, dots]) => `noback punctuation ${hexadecimal(own)} ${dots}`),
  ];
  return `${rules.join("\n")}\n`;
}

/** Signs that the table of 2017 writes differently. */
const REVISED: ReadonlyMap<string, string> = new Map([
  ["00b4", "45-34"],
  ["2014", "6-36"],
]);
const SIGN_RULE = /^((?:sign|punctuation)[ \t]+\\x([0-9a-f]{4})[ \t]+)([0-9-]+)/gim;
export const withRevisedSigns = (tableText: string): string =>
  tableText.replace(
    SIGN_RULE,
    (_rule, beginning: string, code: string, dots: string) =>
      beginning + (REVISED.get(code.toLowerCase()) ?? dots),
  );
