/** Letters of the Latin alphabet that Unicode does not decompose, in the letters that people type for them. */
export const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ı: "i",
};
