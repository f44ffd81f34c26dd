/** What a feed says, in one form whatever its dialect. */

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
  /** Undefined where the feed says nothing that is a date. */
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

/** What the Podcasting 2.0 tags say of the whole. */
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
  /** The owner does not want it listed. */
  readonly isBlocked: boolean;
  /** When the feed says that it was published or changed; undefined where it does not. */
  readonly dateMs: number | undefined;
  /** No further episode will come. */
  readonly isComplete: boolean;
  /** Where the feed says it has moved for good. */
  readonly newAddress: string;
  readonly selfAddress: string;
  readonly podcasting: Podcasting;
  readonly storeOneId: number;
  readonly storeTwoId: string;
  readonly extra: Readonly<Record<string, string>>;
  readonly episodes: readonly FeedEpisode[];
};

/** Why a document is no feed of a podcast. */
export class FeedProblem extends Error {}
