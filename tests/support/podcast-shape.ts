/** An invented podcast, as tests of searching write it down. */

type Episode = readonly [title: string, description: string, minutes: number, daysAgo: number];
export type Podcast = {
  readonly title: string;
  readonly publisher: string;
  readonly language: string;
  readonly category: string;
  readonly description: string;
  readonly isExplicit?: boolean;
  readonly episodes: readonly Episode[];
};
