/** What an archive contains. */
export const MEDIA_FORMATS = ["none", "fullsize", "tagged", "original"] as const;
export type MediaFormat = (typeof MEDIA_FORMATS)[number];
export type Choice = {
  /** One text file for all contributions. */
  readonly combined: boolean;
  /** One text file for each contribution. */
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
/** Without a choice of text the default is the combined one. Media are included unless they are excluded. */
export function choiceOf({ combined, individual = false, json = false, format, tagged }: Asked): Choice {
  return {
    combined: combined ?? !(individual || json),
    individual,
    json,
    media: format ?? (tagged ? "tagged" : "fullsize"),
  };
}
