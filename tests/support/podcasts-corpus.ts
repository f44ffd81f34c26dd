/** Podcasts invented for searching: what a person would look for in them is known. */
import type { Podcast } from "./podcast-shape.ts";
import { OTHER_PODCASTS } from "./podcasts-corpus-others.ts";

export const PODCASTS: readonly Podcast[] = [
  {
    title: "The Daily Orbit",
    publisher: "Northern Sky Radio",
    language: "en-us",
    category: "Science",
    description: "Astronomy and space flight, explained every morning in ten minutes.",
    episodes: [
      ["Black holes for breakfast", "What falls into a black hole, and what does not come back.", 11, 2],
      ["The rings of Saturn", "Why Saturn has rings, and when they will be gone.", 10, 9],
      ["Landing on Mars", "Seven minutes of terror: how a rover lands on the red planet.", 12, 16],
      [
        "An interview with Vera Lindqvist",
        "Our guest builds telescopes in the desert. Sponsored by Blue Lens.",
        35,
        23,
      ],
      ["Comets and their tails", "Dirty snowballs that scare kings.", 9, 400],
    ],
  },
  {
    title: "Kitchen Rules",
    publisher: "Marta Bellini",
    language: "en-us",
    category: "Food",
    description: "Cooking at home with what is there: bread, soups, pasta and patience.",
    episodes: [
      ["Sourdough for beginners", "Flour, water, salt and a week of waiting.", 42, 3],
      ["Pasta from scratch", "Eggs, flour and a rolling pin. Use code KITCHEN for a discount.", 38, 10],
      ["Soup season", "Onion soup, pumpkin soup and the broth behind them.", 30, 30],
      ["The perfect omelette", "Three eggs, one pan, ninety seconds.", 22, 90],
      [
        "Baking bread with grandmother",
        "A conversation with Rosa Bellini about seventy years of bread.",
        51,
        200,
      ],
    ],
  },
  {
    title: "History of Small Things",
    publisher: "Clay Tablet Media",
    language: "en-gb",
    category: "History",
    description: "Buttons, spoons, needles and nails: the history of what nobody looks at.",
    episodes: [
      ["The button", "How buttons closed the Middle Ages.", 28, 5],
      ["The spoon", "Older than the fork, rounder than the knife.", 31, 12],
      ["The needle", "Forty thousand years of sewing.", 33, 19],
      ["The history of the pencil", "Graphite, cedar and a war between two countries.", 36, 60],
      ["Nails of the Roman army", "A million nails buried in Scotland.", 29, 150],
    ],
  },
  {
    title: "Rome Again",
    publisher: "Lucia Ferrante",
    language: "en-us",
    category: "History",
    description: "The Roman Empire from its founding to its fall, one emperor at a time.",
    episodes: [
      ["Augustus", "The first emperor, who said he was none.", 45, 4],
      ["Nero and the fire", "Did he sing while Rome burned?", 47, 11],
      ["Hadrian's wall", "A wall across Britain, and the soldiers who froze on it.", 44, 18],
      ["The fall of Rome", "Two hundred reasons for the end of an empire.", 63, 25],
      ["Roman roads", "All of them lead somewhere.", 40, 250],
    ],
  },
  {
    title: "Night Shift Stories",
    publisher: "Aoife Brennan",
    language: "en-ie",
    category: "True Crime",
    description: "True crime told quietly. Contains explicit language and strong scenes.",
    isExplicit: true,
    episodes: [
      ["The lighthouse keeper", "A keeper vanishes and the lamp keeps burning.", 55, 6],
      ["Murder on the mountain railway", "Eleven passengers, ten tickets.", 58, 13],
      ["The forger's daughter", "Paintings that were too good.", 61, 20],
      ["Cold case: the red umbrella", "After thirty years somebody remembers an umbrella.", 54, 27],
      ["The bank of lost letters", "A robbery nobody reported.", 49, 300],
    ],
  },
  {
    title: "Startup Weather",
    publisher: "Ines Carvalho",
    language: "en-us",
    category: "Entrepreneurship",
    description: "Founders talk about the first two years. Brought to you by Ledgerly.",
    episodes: [
      ["Raising money in winter", "How to ask investors when nobody invests.", 39, 1],
      ["Hiring your first engineer", "With Tomasz Nowak, who hired the wrong one twice.", 44, 8],
      ["Pricing is a conversation", "Why the first price is never the last one.", 37, 15],
      ["Failing quietly", "An interview with a founder who closed her company in a week.", 50, 45],
      ["Two founders, one desk", "How to quarrel well.", 41, 120],
    ],
  },
  {
    title: "Compile Time",
    publisher: "Gray Terminal",
    language: "en-us",
    category: "Technology",
    description: "Programming languages and the people who make them.",
    episodes: [
      ["Why C++ will not die", "Templates, headers and forty years of code.", 62, 2],
      ["Rust without fear", "Borrowing explained with library books.", 58, 9],
      ["Garbage collection", "Who takes out the memory?", 55, 16],
      ["C# at twenty", "From a copy to an original.", 49, 40],
      ["Writing a compiler in a weekend", "Parsing on Saturday, registers on Sunday.", 66, 500],
    ],
  },
  {
    title: "Green Thumbs",
    publisher: "Oakfield Gardens",
    language: "en-gb",
    category: "Home & Garden",
    description: "Gardening month by month: soil, seeds, roses and slugs.",
    episodes: [
      ["Tomatoes on a balcony", "Pots, strings and sun.", 26, 7],
      ["Pruning roses in February", "Cut to the third eye, says our guest Harriet Moss.", 24, 14],
      ["Compost without smell", "Brown, green, air and time.", 27, 21],
      ["Slugs, snails and beer", "Traps that work and those that feed them.", 23, 28],
      ["A garden for bees", "Flowers from March to November.", 29, 365],
    ],
  },
  {
    title: "Deep Water",
    publisher: "Coral Archive",
    language: "en-au",
    category: "Natural Sciences",
    description: "The ocean below two hundred metres, with the people who go there.",
    episodes: [
      ["The whale that sang alone", "A song at fifty-two hertz.", 34, 3],
      ["Volcanoes under the sea", "Black smokers and the life around them.", 37, 10],
      ["Giant squid", "Two hearts more than you.", 33, 17],
      ["Coral bleaching", "What warm water does to reefs, with Dr. Mele Tupou.", 41, 24],
      ["The deepest dive", "Eleven kilometres down in a ball of steel.", 48, 700],
    ],
  },
  {
    title: "Chess After Dark",
    publisher: "Sixty-Four Squares",
    language: "en-us",
    category: "Games",
    description: "Openings, endgames and the people who stay up for them.",
    episodes: [
      ["The queen's gambit", "An opening older than printing.", 46, 5],
      ["Endgames with rooks", "Lucena, Philidor and patience.", 52, 12],
      ["Playing against computers", "When machines stopped losing.", 49, 19],
      ["The Sicilian defence", "Sharp, dark and popular.", 44, 26],
      ["A life in chess", "In conversation with grandmaster Irina Volkova.", 71, 80],
    ],
  },
  {
    title: "Slow Travel",
    publisher: "Wandering Post",
    language: "en-us",
    category: "Places & Travel",
    description: "Journeys by train, boat and bicycle to places that are not on lists.",
    episodes: [
      ["Night trains of Europe", "Sleeping from Vienna to Paris.", 43, 4],
      ["Cycling around Iceland", "Wind from every side.", 39, 11],
      ["A week in Lisbon", "Hills, trams and custard tarts.", 36, 18],
      ["Ferries of the Hebrides", "Timetables written by the sea.", 41, 50],
      ["Walking across Japan", "Eight hundred miles on old roads.", 57, 180],
    ],
  },
  {
    title: "Mind the Gap Year",
    publisher: "Wandering Post",
    language: "en-gb",
    category: "Education",
    description: "A year between school and work, and what to do with it.",
    episodes: [
      ["Volunteering abroad", "What helps and what only feels like it.", 31, 6],
      ["Learning Spanish in Mexico", "From hola to dreaming in it.", 29, 33],
      ["Working on a farm", "Up at five for tomatoes.", 27, 66],
    ],
  },
  {
    title: "Heartbeat",
    publisher: "City Hospital",
    language: "en-us",
    category: "Medicine",
    description: "Doctors and nurses about medicine, sleep and mistakes.",
    episodes: [
      ["Sleep and the brain", "Why we sleep, and what happens when we do not.", 38, 2],
      ["Vaccines explained", "How a body learns.", 36, 9],
      ["A night in the emergency room", "Twelve hours with nurse Delia Okafor, our guest.", 59, 16],
      ["Headaches", "Migraine, tension and too much coffee.", 33, 44],
      ["The history of anaesthesia", "Ether, chloroform and courage.", 40, 320],
    ],
  },
  {
    title: "Run, Easy",
    publisher: "Long Road Club",
    language: "en-us",
    category: "Running",
    description: "Running for people who are not fast: training, shoes and sore knees.",
    episodes: [
      ["Your first marathon", "Sixteen weeks, one long run each.", 47, 1],
      ["Knees", "What hurts and why, with physiotherapist Jonas Weber.", 45, 8],
      ["Running in the rain", "Caps, socks and stubbornness.", 28, 15],
      ["Barefoot", "Shoes off?", 32, 100],
    ],
  },
  {
    title: "The Marathon Bookshelf",
    publisher: "Paper Lantern",
    language: "en-us",
    category: "Books",
    description: "Long novels read slowly, chapter by chapter, by two friends.",
    episodes: [
      ["War and Peace, part one", "Five hundred and eighty characters.", 74, 7],
      ["Moby Dick and the whale", "Chapters about rope.", 69, 21],
      ["Don Quixote", "Windmills, and a friend on a donkey.", 66, 49],
      ["Middlemarch", "A town and its marriages.", 72, 210],
    ],
  },
  {
    title: "Loud and Brass",
    publisher: "Union Hall Records",
    language: "en-us",
    category: "Music",
    description: "Jazz, brass bands and the rooms they play in.",
    episodes: [
      ["Miles before midnight", "A trumpet, a mute and a quintet.", 53, 3],
      ["The tuba", "The bottom of every parade.", 31, 31],
      ["New Orleans funerals", "Slow on the way, fast on the way back.", 48, 75],
      ["How to listen to jazz", "Begin with the drummer.", 44, 140],
    ],
  },
  {
    title: "Money for Humans",
    publisher: "Plain Ledger",
    language: "en-us",
    category: "Investing",
    description: "Saving, pensions and taxes without shouting. Advertise on this show.",
    episodes: [
      ["Index funds", "Buy everything, wait.", 35, 4],
      ["Paying off debt", "Snowball or avalanche?", 34, 18],
      ["Taxes for freelancers", "Receipts in a shoebox, sponsored by Ledgerly.", 41, 32],
      ["Pensions in plain words", "Money for a stranger: you, later.", 39, 260],
    ],
  },
  {
    title: "Star Wars Minute by Minute",
    publisher: "Two Suns Audio",
    language: "en-us",
    category: "TV & Film",
    description: "One minute of the films in each episode.",
    episodes: [
      ["Minute 1: the crawl", "Yellow letters in space.", 15, 10],
      ["Minute 2: the tiny ship", "And then the large one.", 14, 9],
      ["Minute 3: droids", "Two droids in a corridor.", 16, 8],
    ],
  },
  {
    title: "Film Club",
    publisher: "Velvet Seats",
    language: "en-us",
    category: "TV & Film",
    description: "Old and new films, watched in the dark and discussed in the light.",
    episodes: [
      ["Star Wars", "The film that changed summers.", 61, 200],
      ["The third man", "Vienna, sewers and a zither.", 58, 35],
      ["Silent comedies", "Falling well is hard.", 49, 5],
      ["Wars on film", "What stars risk when they play soldiers.", 57, 3],
    ],
  },
  {
    title: "Spider Season",
    publisher: "Small Legs",
    language: "en-us",
    category: "Nature",
    description: "Spiders, beetles and other neighbours.",
    episodes: [
      ["The jumping spider", "Eight eyes on you.", 22, 6],
      ["Silk", "Stronger than steel, thinner than doubt.", 25, 20],
      ["Spider-Man and biology", "Could he really climb?", 28, 34],
    ],
  },
  ...OTHER_PODCASTS,
];

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const DAY_MS = 86_400_000;

/** As a feed of its own; `number` makes addresses of it. */
export function feedOf(podcast: Podcast, number: number, nowMs: number): string {
  const items = podcast.episodes.map(
    ([title, description, minutes, daysAgo], at) => `<item>
    <title>${escaped(title)}</title>
    <description>${escaped(description)}</description>
    <guid isPermaLink="false">podcast-${number}-${at}</guid>
    <pubDate>${new Date(nowMs - daysAgo * DAY_MS).toUTCString()}</pubDate>
    <enclosure url="https://audio.example.org/${number}/${at}.mp3" length="1000" type="audio/mpeg"/>
    <itunes:duration>${minutes * 60}</itunes:duration>
  </item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
  <title>${escaped(podcast.title)}</title>
  <link>https://show${number}.example.org/</link>
  <description>${escaped(podcast.description)}</description>
  <language>${podcast.language}</language>
  <itunes:author>${escaped(podcast.publisher)}</itunes:author>
  <itunes:image href="https://show${number}.example.org/cover.jpg"/>
  <itunes:category text="${escaped(podcast.category)}"/>
  <itunes:explicit>${podcast.isExplicit ? "true" : "false"}</itunes:explicit>
  ${items.join("\n  ")}
</channel></rss>`;
}
