/** Demo podcasts. */

export type DemoShow = {
  readonly slug: string;
  readonly title: string;
  readonly publisher: string;
  readonly language: string;
  readonly categories: readonly string[];
  readonly about: string;
  readonly everyDays: number;
  readonly minutes: number;
  readonly episodes: readonly (readonly [title: string, about: string])[];
};

export const DEMO_SHOWS: readonly DemoShow[] = [
  {
    slug: "slow-soil",
    title: "Slow Soil",
    publisher: "Marrow Lane Audio",
    language: "en-GB",
    categories: ["Leisure", "Home & Garden"],
    about: "Two gardeners on what grows, what rots and why both matter.",
    everyDays: 7,
    minutes: 42,
    episodes: [
      ["Compost in a cold spring", "Heaps that will not warm up, and three ways to start them again."],
      ["The tomato question", "An interview with Ida Brandt, who has grown four hundred kinds of tomatoes."],
      ["Rain, barrels and patience", "Collecting water without collecting mosquitoes."],
      [
        "A meadow in one square metre",
        "Wildflowers for balconies. This episode is sponsored by Fennel Seeds.",
      ],
      ["Slugs: a truce", "What hedgehogs, copper tape and beer traps really do."],
      ["Grafting for beginners", "How two apple trees become one, with our guest Omar Said."],
    ],
  },
  {
    slug: "orbit-weekly",
    title: "Orbit Weekly",
    publisher: "Parallax Radio",
    language: "en-US",
    categories: ["Science", "Astronomy"],
    about: "Space news for people who look up: launches, telescopes and the physics behind them.",
    everyDays: 7,
    minutes: 31,
    episodes: [
      ["Why Saturn loses its rings", "The rings rain onto the planet. How long until they are gone?"],
      [
        "Inside a mission control",
        "We talk with flight director Lena Kovacs about the quietest ten minutes of a landing.",
      ],
      ["Dark matter, again", "Three new measurements, and what they leave open."],
      ["Telescopes on the far side of the Moon", "Radio silence is a resource."],
      ["A short history of star maps", "From clay tablets to a catalogue of two billion stars."],
    ],
  },
  {
    slug: "the-quiet-ledger",
    title: "The Quiet Ledger",
    publisher: "Tern & Co",
    language: "en",
    categories: ["Business", "Personal Finance"],
    about: "Money without shouting: saving, small businesses, and the history of accounts.",
    everyDays: 14,
    minutes: 25,
    episodes: [
      ["Double entry in a bakery", "How one baker found out which bread earns nothing."],
      ["Pensions explained slowly", "What an annuity is and when it is worth it."],
      ["Our guest: a retired tax inspector", "An interview about the most honest trade he has met."],
      ["Inflation for children", "Three games that explain prices. Brought to you by Harbour Bank."],
    ],
  },
  {
    slug: "nachtzug",
    title: "Nachtzug",
    publisher: "Weiche Sieben",
    language: "de-DE",
    categories: ["Society & Culture", "Places & Travel"],
    about: "Geschichten aus Zügen, die nachts durch Europa fahren.",
    everyDays: 10,
    minutes: 38,
    episodes: [
      ["Von Wien nach Venedig", "Ein Abteil, vier Fremde und eine verlorene Fahrkarte."],
      ["Der letzte Schlafwagen", "Zu Gast: Jana Wirth, die zwanzig Jahre lang Schlafwagen begleitet hat."],
      ["Grenzen um drei Uhr früh", "Warum Züge mitten in der Nacht so lange stehen."],
      ["Fahrpläne lesen", "Eine kleine Kunst und ihre Geschichte."],
    ],
  },
  {
    slug: "cocina-lenta",
    title: "Cocina lenta",
    publisher: "Radio Olivo",
    language: "es-ES",
    categories: ["Arts", "Food"],
    about: "Recetas que necesitan tiempo, contadas sin prisa.",
    everyDays: 7,
    minutes: 22,
    episodes: [
      ["El caldo de los domingos", "Huesos, verduras y seis horas de paciencia."],
      ["Pan de masa madre", "Cómo cuidar una masa madre en verano."],
      ["Lentejas para veinte", "Cocinar para muchos sin perder la calma."],
    ],
  },
  {
    slug: "kissa-no-oto",
    title: "喫茶の音",
    publisher: "雨宿り放送",
    language: "ja",
    categories: ["Music", "Music Commentary"],
    about: "古い喫茶店で流れる音楽と、その店の人たちの話。",
    everyDays: 14,
    minutes: 28,
    episodes: [
      ["雨の日のジャズ", "神保町の小さな店で聞いたレコードの話。"],
      ["珈琲とレコード針", "針を替えると音はどう変わるのか。"],
      ["閉店する店の最後の一曲", "五十年続いた喫茶店の最後の夜。"],
    ],
  },
  {
    slug: "unsolved-by-post",
    title: "Unsolved by Post",
    publisher: "Marrow Lane Audio",
    language: "en-IE",
    categories: ["True Crime"],
    about: "Small mysteries told through the letters people left behind. A serial in six parts.",
    everyDays: 7,
    minutes: 47,
    episodes: [
      ["Part one: the returned envelope", "A letter comes back after thirty years."],
      ["Part two: the other handwriting", "An expert on ink looks at the address."],
      ["Part three: a postmark that never was", "The post office that stamped it had burned down."],
      ["Part four: what the neighbour kept", "A box of postcards changes the story."],
    ],
  },
  {
    slug: "build-night",
    title: "Build Night",
    publisher: "Lamp & Wire",
    language: "en-US",
    categories: ["Technology", "Programming"],
    about: "Programmers build one small thing an evening and explain every mistake.",
    everyDays: 3,
    minutes: 54,
    episodes: [
      ["A search engine in a shoebox", "Tokens, stems and an index that fits on a memory card."],
      ["Parsing feeds that lie", "Dates in twenty formats, and titles with half an HTML page in them."],
      ["Our guest deletes everything", "An interview with Priya Nair about backups that were never tried."],
      ["Queues at midnight", "Why a job ran twice, and how it never will again."],
      ["Clocks are hard", "Leap seconds, time zones and a bug that sleeps for a year."],
    ],
  },
];
