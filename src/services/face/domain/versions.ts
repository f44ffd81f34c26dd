/** Spelling differences between API versions. The request's base address selects the version. */

/** Versions after 1.0. They have the same operations, but enum values start in lower case. */
export const LATER_VERSIONS = ["v1.1-preview.1", "v1.2"] as const;

type Asked = { readonly request: { readonly mountUrl: string } };
export const isLater = ({ request: { mountUrl } }: Asked): boolean =>
  LATER_VERSIONS.some((version) => mountUrl.endsWith(`/${version}`));

const small = <Word extends string>(word: Word): Uncapitalize<Word> =>
  `${word.charAt(0).toLowerCase()}${word.slice(1)}` as Uncapitalize<Word>;

/** Levels of blur, noise and exposure: `GoodExposure` in 1.0, `goodExposure` in later versions. */
export const levelFor = <Word extends string>(asked: Asked, word: Word): Word | Uncapitalize<Word> =>
  isLater(asked) ? small(word) : word;
/** Quality for recognition, which was introduced later and is in lower case in all versions. */
export const qualityFor = <Word extends string>(word: Word): Uncapitalize<Word> => small(word);
/** Status of a training that has not started. */
export const statusFor = <Status extends string>(asked: Asked, status: Status): Status | "notStarted" =>
  isLater(asked) && status === "nonstarted" ? "notStarted" : status;
