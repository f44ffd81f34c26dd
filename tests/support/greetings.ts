/** A greeting in languages that do not use Latin letters, by the first two letters of the language. */
export const GREETINGS: Readonly<Record<string, string>> = {
  ar: "مرحبا",
  bn: "নমস্কার",
  el: "γειά",
  fa: "سلام",
  he: "שלום",
  hi: "नमस्ते",
  ko: "안녕하세요",
  ru: "привет",
  ta: "வணக்கம்",
  zh: "你好",
};
