/** A parsed feed, in one form for all dialects. */

export type Person = {
  readonly name: string;
  readonly role: string;
  readonly url: string;
  readonly image: string;
};
export type Chapter = {
  readonly startSeconds: number;
  readonly title: string;
  readonly url: string;
  readonly image: string;
};
export type TranscriptReference = { readonly url: string; readonly type: string };

export type FeedEpisode = {
  readonly guid: string;
  readonly title: string;
  readonly description: string;
  /** The description without tags. */
  readonly text: string;
  readonly link: string;
  readonly audio: string;
  readonly audioType: string;
  readonly audioBytes: number;
  readonly audioLengthSeconds: number;
  /** Undefined if the feed has no valid date. */
  readonly pubDateMs: number | undefined;
  readonly image: string;
  readonly isExplicit: boolean | undefined;
  readonly season: number;
  readonly number: number;
  readonly type: "full" | "trailer" | "bonus";
  readonly chapters: readonly Chapter[];
  readonly chaptersUrl: string;
  readonly transcript: TranscriptReference | undefined;
  readonly persons: readonly Person[];
};

/** Channel-level tags of Podcasting 2.0. */
export type Podcasting = {
  readonly guid?: string;
  readonly medium?: string;
  readonly locked?: { readonly isLocked: boolean; readonly owner: string };
  readonly funding?: readonly { readonly url: string; readonly text: string }[];
  readonly value?: {
    readonly type: string;
    readonly method: string;
    readonly recipients: readonly {
      readonly name: string;
      readonly address: string;
      readonly split: number;
    }[];
  };
  readonly podroll?: readonly { readonly guid: string; readonly url: string }[];
  readonly persons?: readonly Person[];
  readonly location?: string;
};

export type Feed = {
  readonly dialect: "rss2" | "rss1" | "atom";
  readonly title: string;
  readonly description: string;
  readonly text: string;
  readonly publisher: string;
  readonly email: string;
  readonly website: string;
  readonly image: string;
  readonly languageTag: string;
  readonly categories: readonly string[];
  readonly type: "episodic" | "serial";
  readonly isExplicit: boolean | undefined;
  /** The owner does not want the podcast listed. */
  readonly isBlocked: boolean;
  /** Publication or change date of the feed; undefined if it has none. */
  readonly dateMs: number | undefined;
  /** The feed declares that no more episodes will follow. */
  readonly isComplete: boolean;
  /** New permanent URL that the feed declares. */
  readonly newAddress: string;
  readonly selfAddress: string;
  readonly podcasting: Podcasting;
  readonly storeOneId: number;
  readonly storeTwoId: string;
  readonly extra: Readonly<Record<string, string>>;
  readonly episodes: readonly FeedEpisode[];
};

/** The reason why a document is not a podcast feed. */
export class FeedProblem extends Error {}
