/** What an archive holds. */
export const MEDIA_FORMATS = ["none", "fullsize", "tagged", "original"] as const;
export type MediaFormat = (typeof MEDIA_FORMATS)[number];
export type Choice = {
  /** One text of all of them. */
  readonly combined: boolean;
  /** A text of each. */
  readonly individual: boolean;
  readonly json: boolean;
  readonly media: MediaFormat;
};
export type Asked = {
  readonly combined?: boolean;
  readonly individual?: boolean;
  readonly json?: boolean;
  readonly format?: MediaFormat;
  readonly tagged?: boolean;
};
/** Whoever chooses no text gets the combined one; pictures and films are there unless they are not wanted. */
export function choiceOf({ combined, individual = false, json = false, format, tagged }: Asked): Choice {
  return {
    combined: combined ?? !(individual || json),
    individual,
    json,
    media: format ?? (tagged ? "tagged" : "fullsize"),
  };
}
