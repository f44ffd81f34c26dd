/** Schemas of search requests and answers in the public API. */
import { Type } from "@sinclair/typebox";
import { CuratedListSearchResult, EpisodeSearchResult, PodcastSearchResult, zeroOrOne } from "./shapes.ts";

export const SearchText = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'What to look for: words, "phrases in quotes", -words to leave out, beginnings*.',
  examples: ["star wars"],
});
const IdList = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 400, description, examples: [example] }));
const Amount = (description: string, example: number) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [example] }));
const Moment = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 100_000_000_000_000, description, examples: [example] });
/** Limit of paging. */
export const OFFSET_MAX = 10_000;
const Offset = Type.Integer({
  minimum: 0,
  maximum: OFFSET_MAX,
  default: 0,
  description: "How many results to leave out: `next_offset` of the page before.",
});

export const SearchQuery = Type.Object({
  q: SearchText,
  sort_by_date: zeroOrOne("1: the newest first; 0: the best first."),
  type: Type.Union([Type.Literal("episode"), Type.Literal("podcast"), Type.Literal("curated")], {
    default: "episode",
    description: "What to look for.",
  }),
  offset: Offset,
  len_min: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    default: 0,
    description: "The shortest audio in minutes, to the nearest minute; of a podcast, on the average.",
  }),
  len_max: Amount("The longest audio in minutes.", 60),
  episode_count_min: Amount("How many episodes the podcast has at least.", 10),
  episode_count_max: Amount("How many episodes the podcast has at most.", 500),
  update_freq_min: Amount("How many hours there are between episodes at least.", 24),
  update_freq_max: Amount("How many hours there are between episodes at most.", 168),
  genre_ids: IdList("Genres of which the podcast has one, with commas between them.", "68,82"),
  published_before: Type.Optional(
    Moment("The latest publication, in milliseconds since 1970.", 1_900_000_000_000),
  ),
  published_after: Type.Integer({
    minimum: 0,
    maximum: 100_000_000_000_000,
    default: 0,
    description: "The earliest publication, in milliseconds since 1970.",
  }),
  only_in: Type.Optional(
    Type.String({
      maxLength: 100,
      description: "Fields to look in, with commas between them: title, description, author, audio.",
      examples: ["title,description"],
    }),
  ),
  language: Type.Optional(
    Type.String({ maxLength: 50, description: "As `/languages` names it.", examples: ["English"] }),
  ),
  region: Type.Optional(
    Type.String({
      maxLength: 10,
      description: "Where it is made, as `/regions` names it.",
      examples: ["us"],
    }),
  ),
  ocid: IdList("Podcasts to look in, with commas between them.", "4d3fe717742d4963a85562e9f84d8c79"),
  ncid: IdList("Podcasts to leave out, with commas between them.", "4d3fe717742d4963a85562e9f84d8c79"),
  safe_mode: zeroOrOne("1: leaves out what is explicit."),
  unique_podcasts: zeroOrOne("1: one episode of each podcast."),
  interviews_only: zeroOrOne("1: only what has guests."),
  sponsored_only: zeroOrOne("1: only what has sponsors."),
  page_size: Type.Integer({
    minimum: 1,
    maximum: 50,
    default: 10,
    description: "How many results a page has.",
  }),
});

const envelope = {
  took: Type.Number({ description: "Seconds that the search took.", examples: [0.012] }),
  total: Type.Integer({ description: "How many results there are.", examples: [120] }),
  count: Type.Integer({ description: "How many results this page has.", examples: [10] }),
  next_offset: Type.Integer({ description: "`offset` of the next page.", examples: [10] }),
};
export const SearchAnswer = Type.Object({
  ...envelope,
  fewer_words: Type.Optional(
    Type.Object(
      {
        used: Type.Integer({ description: "How many words the results have.", examples: [2] }),
        of: Type.Integer({ description: "How many words were looked for.", examples: [4] }),
        complete: Type.Optional(
          Type.Integer({
            description: "How many results have all the words, where some do. They come first.",
            examples: [1],
          }),
        ),
      },
      { description: "Where nothing or too little has all the words: the other results have only some." },
    ),
  ),
  results: Type.Array(Type.Union([EpisodeSearchResult, PodcastSearchResult, CuratedListSearchResult])),
});

export const EpisodeTitlesQuery = Type.Object({
  q: SearchText,
  podcast_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: "The podcast, by an id of the kind that `podcast_id_type` names.",
      examples: ["4d3fe717742d4963a85562e9f84d8c79"],
    }),
  ),
  podcast_id_type: Type.Union(
    [
      Type.Literal("vendor_id"),
      Type.Literal("storeone_id"),
      Type.Literal("storetwo_id"),
      Type.Literal("rss"),
    ],
    { default: "vendor_id", description: "What kind of id `podcast_id` is." },
  ),
  offset: Offset,
});
export const EpisodeTitlesAnswer = Type.Object({ ...envelope, results: Type.Array(EpisodeSearchResult) });
