/** The artifacts of pictures and films, and who may get them. */

export type ArtifactFormat = {
  readonly label: string;
  readonly forContentType: string;
  /** Absent: the format of the original. */
  readonly contentType?: string;
  readonly fileExtension?: string;
  readonly preserveAspectRatio: boolean;
  /** Others are for owner, moderator and contributor. */
  readonly public: boolean;
  readonly upscaleAllowed: boolean;
  /** Longest side; both sides if the aspect ratio is not kept. Absent: the size of the original. */
  readonly side?: number;
};

const JPEG = { contentType: "image/jpeg", fileExtension: "jpg" } as const;
const scaled = (forContentType: string, label: string, side: number): ArtifactFormat => ({
  label,
  forContentType,
  ...JPEG,
  preserveAspectRatio: true,
  public: true,
  upscaleAllowed: false,
  side,
});
const square = (forContentType: string, label: string, side: number): ArtifactFormat => ({
  ...scaled(forContentType, label, side),
  preserveAspectRatio: false,
  upscaleAllowed: true,
});
const asSent = (forContentType: string): ArtifactFormat => ({
  label: "original",
  forContentType,
  preserveAspectRatio: true,
  public: false,
  upscaleAllowed: false,
});
/** Full size, upright, without the camera's metadata. */
const optimised = (forContentType: string, contentType: string, fileExtension: string): ArtifactFormat => ({
  ...asSent(forContentType),
  label: "optimised",
  contentType,
  fileExtension,
  public: true,
});

export const PICTURE_FORMATS: readonly ArtifactFormat[] = [
  square("image/*", "thumbnail", 200),
  scaled("image/*", "medium", 640),
  scaled("image/*", "large", 1600),
];
const FILM_FORMATS: readonly ArtifactFormat[] = [
  square("video/*", "thumbnail", 200),
  scaled("video/*", "medium", 640),
  scaled("video/*", "large", 1600),
];
export const OPTIMISED_FORMATS: readonly ArtifactFormat[] = [
  optimised("image/jpeg", "image/jpeg", "jpg"),
  optimised("image/heic", "image/jpeg", "jpg"),
  optimised("image/png", "image/webp", "webp"),
  optimised("image/webp", "image/webp", "webp"),
  optimised("image/gif", "image/webp", "webp"),
  optimised("video/mp4", "video/mp4", "mp4"),
  optimised("video/quicktime", "video/quicktime", "mov"),
  optimised("video/webm", "video/webm", "webm"),
];

/** As `/artifact-formats` lists them. */
export const ARTIFACT_FORMATS = {
  contribution: [
    ...PICTURE_FORMATS,
    ...FILM_FORMATS,
    ...OPTIMISED_FORMATS,
    asSent("image/*"),
    asSent("video/*"),
  ],
  cover: PICTURE_FORMATS,
  profileImage: PICTURE_FORMATS.slice(0, 1),
} as const satisfies Readonly<Record<string, readonly ArtifactFormat[]>>;

export const ORIGINAL = "original";
export const OPTIMISED = "optimised";
export const THUMBNAIL = "thumbnail";
export const LABELS = [...PICTURE_FORMATS.map(({ label }) => label), OPTIMISED, ORIGINAL];
export const isPublicLabel = (label: string): boolean => label !== ORIGINAL;
