/** Descriptions and examples of prebuilt entities. */
export const PREBUILT_WORDS: Readonly<
  Record<string, { readonly description: string; readonly examples: string }>
> = {
  age: { description: "How old somebody or something is.", examples: "ten years old, 4 months of age" },
  currency: { description: "Amounts of money.", examples: "1000 dollars, 20 euros" },
  datetimeV2: {
    description: "Dates, times, ranges of them, durations and what repeats.",
    examples: "tomorrow at 5 pm, next week, two hours",
  },
  datetime: { description: "Dates and times.", examples: "June 23 1976, 7 am" },
  dimension: {
    description: "Lengths, areas, volumes, weights, speeds and amounts of data.",
    examples: "2 kilometres, 650 square feet",
  },
  email: { description: "Addresses of electronic mail.", examples: "ann@example.org" },
  geographyV2: { description: "Places.", examples: "Lisbon, Europe" },
  keyPhrase: {
    description: "Words that an utterance is about.",
    examples: "book me a flight to Lisbon: flight, Lisbon",
  },
  number: { description: "Numbers in figures or words.", examples: "42, forty two, 0.5" },
  ordinal: { description: "Places in an order.", examples: "first, 2nd" },
  ordinalV2: {
    description: "Places in an order, also relative ones.",
    examples: "first, the last, the next",
  },
  percentage: { description: "Parts of a hundred.", examples: "10%, twenty percent" },
  personName: { description: "Names of people.", examples: "Ann, Ann Marie Lee" },
  phonenumber: { description: "Telephone numbers.", examples: "+44 20 7946 0958" },
  temperature: { description: "Temperatures.", examples: "30 degrees, 100 F" },
  url: { description: "Addresses of websites.", examples: "https://example.org" },
};
export const wordsOfPrebuilt = (name: string) =>
  PREBUILT_WORDS[name] ?? { description: "A prebuilt entity.", examples: "" };
