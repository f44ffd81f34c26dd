/** Built-in categories of payments, and how a payment is assigned to one. */

export type Category = {
  readonly category: string;
  readonly description: string;
  readonly color: string;
  readonly icon: string;
  /** Words that select it, in the description of a payment or in the counterparty's name. */
  readonly words: readonly string[];
};
const category = (name: string, description: string, color: string, words: readonly string[]): Category => ({
  category: name,
  description,
  color,
  icon: name.toLowerCase(),
  words,
});

export const CATEGORIES: readonly Category[] = [
  category("GROCERIES", "Groceries", "#3b8f5a", [
    "grocer",
    "grocery",
    "groceries",
    "supermarket",
    "market",
    "bakery",
    "bakeries",
  ]),
  category("FOOD_AND_DRINKS", "Food and drinks", "#c9702b", [
    "lunch",
    "dinner",
    "restaurant",
    "coffee",
    "cafe",
    "bar",
    "pizza",
  ]),
  category("TRANSPORT", "Transport", "#2b6cc9", ["train", "bus", "buses", "taxi", "fuel", "parking", "bike"]),
  category("TRAVEL", "Travel", "#1c8fa8", ["hotel", "flight", "holiday", "camping"]),
  category("HOUSING", "Housing", "#7a5c3e", ["rent", "mortgage", "energy", "water", "internet"]),
  category("SHOPPING", "Shopping", "#a83b7c", [
    "shop",
    "shopping",
    "store",
    "clothes",
    "shoe",
    "book",
    "bookshop",
  ]),
  category("HEALTH", "Health", "#b5394a", ["pharmacy", "pharmacies", "doctor", "dentist", "insurance"]),
  category("INCOME", "Income", "#4c9a2a", ["salary", "wage", "invoice", "deposit"]),
  category("SAVINGS", "Savings", "#5a4fcf", ["saving", "goal"]),
  category("OTHER", "Everything else", "#6b7280", []),
];
const OTHER = "OTHER";

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .normalize("NFC")
    .match(/[\p{L}\p{N}]+/gu) ?? [];
/** The category of each built-in word, in singular and plural. */
const PLACES: ReadonlyMap<string, number> = new Map(
  CATEGORIES.flatMap(({ words }, place) =>
    words.flatMap((word) => [[word, place] as const, [`${word}s`, place]]),
  ),
);
export type Rule = Pick<Category, "category" | "words">;
/**
 * User-defined rules come first, and the first match wins. Only whole words match: "parents" does not match
 * "rent".
 */
export function categoryOf(text: string, own: readonly Rule[]): string {
  const said = wordsOf(text);
  const sentence = ` ${said.join(" ")} `;
  const isSaid = (phrase: string): boolean => {
    const sought = wordsOf(phrase).join(" ");
    return sought !== "" && (sentence.includes(` ${sought} `) || sentence.includes(` ${sought}s `));
  };
  const fitting = own.find(({ words }) => words.some(isSaid));
  if (fitting) return fitting.category;
  const place = Math.min(...said.map((word) => PLACES.get(word) ?? CATEGORIES.length));
  return CATEGORIES[place]?.category ?? OTHER;
}
