/** What money is spent on: categories that everybody has, and how a payment finds its own. */

export type Category = {
  readonly category: string;
  readonly description: string;
  readonly color: string;
  readonly icon: string;
  /** Words that tell it, in the description of a payment or the name of the other side. */
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
  category("GROCERIES", "Groceries", "#3b8f5a", ["grocer", "supermarket", "market", "bakery"]),
  category("FOOD_AND_DRINKS", "Food and drinks", "#c9702b", [
    "lunch",
    "dinner",
    "restaurant",
    "coffee",
    "cafe",
    "bar",
    "pizza",
  ]),
  category("TRANSPORT", "Transport", "#2b6cc9", ["train", "bus", "taxi", "fuel", "parking", "bike"]),
  category("TRAVEL", "Travel", "#1c8fa8", ["hotel", "flight", "holiday", "camping"]),
  category("HOUSING", "Housing", "#7a5c3e", ["rent", "mortgage", "energy", "water", "internet"]),
  category("SHOPPING", "Shopping", "#a83b7c", ["shop", "store", "clothes", "shoes", "books"]),
  category("HEALTH", "Health", "#b5394a", ["pharmacy", "doctor", "dentist", "insurance"]),
  category("INCOME", "Income", "#4c9a2a", ["salary", "wage", "invoice", "deposit"]),
  category("SAVINGS", "Savings", "#5a4fcf", ["saving", "goal"]),
  category("OTHER", "Everything else", "#6b7280", []),
];
const OTHER = "OTHER";

const lettersOf = (text: string): string => text.toLowerCase().normalize("NFC");
export type Rule = Pick<Category, "category" | "words">;
/** A user's own come first; the first that fits counts. */
export function categoryOf(text: string, own: readonly Rule[]): string {
  const sought = lettersOf(text);
  const fitsOwn = ({ words }: Rule) => words.some((word) => sought.includes(lettersOf(word)));
  // Everybody's words are written in small letters.
  const fits = ({ words }: Rule) => words.some((word) => sought.includes(word));
  return (own.find(fitsOwn) ?? CATEGORIES.find(fits))?.category ?? OTHER;
}
