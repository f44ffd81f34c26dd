/** Words without their endings, in the languages whose endings are known. */
import { makeStemmer } from "#kernel/stems";

const STEMMED: ReadonlyMap<string, string> = new Map([
  ["ar", "arabic"],
  ["de", "german"],
  ["en", "english"],
  ["es", "spanish"],
  ["fr", "french"],
  ["it", "italian"],
  ["nl", "dutch"],
  ["pt", "portuguese"],
  ["ta", "tamil"],
  ["tr", "turkish"],
]);
const HINDI = "hi";
/** Of nouns and verbs, the longest first. */
const HINDI_ENDINGS: readonly string[] = [
  ..."ाएंगी ाएंगे ाऊंगी ाऊंगा".split(" "),
  ..."ाएगी ाएगा ाओगी ाओगे ेंगी ेंगे ूंगी ूंगा ातीं ियाँ ियों ियां".split(" "),
  ..."ाकर ाइए ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता ाओं ाएं".split(" "),
  ..."कर ाओ िए ाई ाए ने नी ना ते ती ता ाँ ां ों ें".split(" "),
  ..."ो े ू ु ी ि ा".split(" "),
];
const ROOT_LENGTH_MIN = 2;
const DIGIT = /\p{N}/u;
/** A root takes fifty times as long to find as to remember. */
const ROOTS_KEPT_MAX = 100_000;

export const knowsRootsOf = (culture: string): boolean => {
  const language = culture.slice(0, 2);
  return language === HINDI || STEMMED.has(language);
};

const rootsByLanguage = new Map<string, (word: string) => string>();

/** The word in lower case as it is where its endings are not known. */
export function rootOf(word: string, culture: string): string {
  const language = culture.slice(0, 2);
  const known = rootsByLanguage.get(language);
  if (known) return known(word);
  const made = remembering(finderOf(language));
  rootsByLanguage.set(language, made);
  return made(word);
}

function finderOf(language: string): (word: string) => string {
  if (language === HINDI) return hindiRootOf;
  const name = STEMMED.get(language);
  if (name === undefined) return (word) => word;
  const stemmer = makeStemmer(name);
  return (word) => (DIGIT.test(word) ? word : stemmer.stem(word) || word);
}

function hindiRootOf(word: string): string {
  const ending = HINDI_ENDINGS.find(
    (one) => word.endsWith(one) && word.length - one.length >= ROOT_LENGTH_MIN,
  );
  return ending === undefined ? word : word.slice(0, -ending.length);
}

function remembering(find: (word: string) => string): (word: string) => string {
  let roots = new Map<string, string>();
  return (word) => {
    const known = roots.get(word);
    if (known !== undefined) return known;
    if (roots.size >= ROOTS_KEPT_MAX) roots = new Map();
    const root = find(word);
    roots.set(word, root);
    return root;
  };
}
