/** How each version of the interface spells its words: the address that a caller uses tells which one is meant. */

/** Versions after 1.0: the same operations, whose words all begin with a small letter. */
export const LATER_VERSIONS = ["v1.1-preview.1", "v1.2"] as const;

type Asked = { readonly request: { readonly mountUrl: string } };
export const isLater = ({ request: { mountUrl } }: Asked): boolean =>
  LATER_VERSIONS.some((version) => mountUrl.endsWith(`/${version}`));

const small = <Word extends string>(word: Word): Uncapitalize<Word> =>
  `${word.charAt(0).toLowerCase()}${word.slice(1)}` as Uncapitalize<Word>;

/** Levels of blur, noise and exposure: `GoodExposure` in 1.0, `goodExposure` later. */
export const levelFor = <Word extends string>(asked: Asked, word: Word): Word | Uncapitalize<Word> =>
  isLater(asked) ? small(word) : word;
/** The fitness for recognition, which came after the others: small in all versions. */
export const qualityFor = <Word extends string>(word: Word): Uncapitalize<Word> => small(word);
/** A training that has not begun. */
export const statusFor = <Status extends string>(asked: Asked, status: Status): Status | "notStarted" =>
  isLater(asked) && status === "nonstarted" ? "notStarted" : status;
