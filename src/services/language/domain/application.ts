/** An application and its versions, without their content. */
import type { VersionSettings } from "./content.ts";

export const SLOTS = ["production", "staging"] as const;
export type Slot = (typeof SLOTS)[number];

export type PublishSettings = {
  readonly sentimentAnalysis: boolean;
  readonly speech: boolean;
  readonly spellChecker: boolean;
};
export const PUBLISH_SETTINGS: PublishSettings = {
  sentimentAnalysis: false,
  speech: false,
  spellChecker: false,
};

export type Application = {
  readonly id: string;
  readonly name: string;
  readonly culture: string;
  readonly tokenizerVersion: string;
  readonly description: string;
  readonly domain: string;
  readonly usageScenario: string;
  readonly activeVersion: string;
  readonly isPublic: boolean;
  readonly publishSettings: PublishSettings;
  readonly hits: number;
  readonly createdAtMs: number;
};

export type TrainingStatus = "none" | "queued" | "running" | "failed" | "done";

export type Version = {
  readonly application: string;
  readonly name: string;
  readonly uid: string;
  readonly settings: VersionSettings;
  readonly revision: number;
  readonly nextNumber: number;
  readonly hits: number;
  readonly trainingStatus: TrainingStatus;
  /** The revision that the latest training was asked for. */
  readonly trainingRevision: number | undefined;
  readonly trainingFailure: string | undefined;
  /** The revision that the model at hand was made of. */
  readonly trainedRevision: number | undefined;
  readonly trainedAtMs: number | undefined;
  readonly trainedBlob: string | undefined;
  readonly publishedAtMs: number | undefined;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
};

export const SETTINGS: VersionSettings = {
  normalizePunctuation: false,
  normalizeDiacritics: false,
  normalizeWordForm: false,
  useAllTrainingData: true,
};

/** In the words of the interface. */
export const SETTING_NAMES: Readonly<Record<string, keyof VersionSettings>> = {
  NormalizePunctuation: "normalizePunctuation",
  NormalizeDiacritics: "normalizeDiacritics",
  NormalizeWordForm: "normalizeWordForm",
  UseAllTrainingData: "useAllTrainingData",
};

export type PublishedSlot = {
  readonly application: string;
  readonly slot: Slot;
  readonly versionName: string;
  readonly publishedAtMs: number;
};
export type Published = PublishedSlot & {
  readonly versionUid: string;
  readonly blob: string;
  readonly settings: PublishSettings;
};

/** Of a version when it is made; each change counts it up. */
export const FIRST_REVISION = 1;
export const isTrained = ({ revision, trainedRevision }: Version): boolean => trainedRevision === revision;
