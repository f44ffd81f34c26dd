/** Trains versions and queries models. Slow work runs on threads. */
import { createWorkerPool, workerFile } from "#kernel/workers";
import type { VersionContent } from "../domain/content.ts";
import { PhraseTree } from "../recognition/phrases.ts";
import { type ExternalEntity, predict } from "../recognition/predict.ts";
import type { Prediction } from "../recognition/prediction.ts";
import type { TextRules } from "../recognition/reading.ts";
import { Finders } from "./finders.ts";
import type { LoadedModel } from "./model.ts";
import type { TrainResult, TrainTask } from "./tasks.ts";

export type Question = {
  /** The local time of the speaker, as if in UTC. "Tomorrow" is relative to it. */
  readonly wallClockMs: number;
  /** Further forms of list entities. */
  readonly dynamicLists?: readonly {
    readonly entity: string;
    readonly forms: readonly { readonly canonicalForm: string; readonly synonyms: readonly string[] }[];
  }[];
  readonly externalEntities?: readonly ExternalEntity[];
  readonly preferExternalEntities?: boolean;
};

type Named = { readonly kind: string; readonly name: string };
export type Trainer = {
  /** The same content gives the same bytes. Rejects with a WorkerError. `name`: for `findPercent`. */
  train(content: VersionContent, name?: string): Promise<Uint8Array>;
  /** How far the training of that name is, if it runs on this node. */
  findPercent(name: string): number | undefined;
  /** Compiles the rules of these entities before the first query. An error is reported by that query. */
  warm(content: Pick<VersionContent, "culture"> & { readonly entities: readonly Named[] }): void;
  predict(model: LoadedModel, text: string, question: Question): Promise<Prediction>;
  close(): Promise<void>;
};

const TRAINING_MINUTES_MAX = 15;
const TRAINING_HEAP_MB = 1536;
const MS_PER_SECOND = 1000;

export function createTrainer(): Trainer {
  const training = createWorkerPool<TrainTask, TrainResult>({
    file: workerFile(import.meta.url, "services/language/learning/training-worker.js"),
    name: "run",
    timeoutMs: TRAINING_MINUTES_MAX * 60 * MS_PER_SECOND,
    threadsMax: 1,
    heapMbMax: TRAINING_HEAP_MB,
  });
  const finders = new Finders();
  const underWay = new Map<string, Int32Array>();
  return {
    async train(content, name = "") {
      const progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      underWay.set(name, progress);
      try {
        return (await training.run({ content, progress })).bytes;
      } finally {
        underWay.delete(name);
      }
    },
    findPercent(name) {
      const progress = underWay.get(name);
      return progress && Atomics.load(progress, 0);
    },
    warm({ culture, entities }) {
      const names = prebuiltsOf(entities);
      if (names.length > 0) finders.warm({ culture, names }).catch(() => {});
    },
    async predict(model, text, question) {
      const { culture, rules } = model.definition;
      const names = prebuiltsOf(model.definition.entities);
      const { longRegexes } = model.finders;
      const isQuick = names.length === 0 && longRegexes.length === 0;
      const found = isQuick
        ? {}
        : await finders.find({ text, culture, names, longRegexes, wallClockMs: question.wallClockMs });
      return predict(model, text, { ...question, ...found, dynamicLists: treesOf(question, rules) });
    },
    async close() {
      await Promise.all([training.close(), finders.close()]);
    },
  };
}

const prebuiltsOf = (entities: readonly Named[]): string[] =>
  entities.flatMap(({ kind, name }) => (kind === "prebuilt" ? [name] : []));

function treesOf({ dynamicLists = [] }: Question, rules: TextRules) {
  return dynamicLists.map(({ entity, forms }) => {
    const tree = new PhraseTree<string>(rules);
    for (const { canonicalForm, synonyms } of forms)
      for (const phrase of [canonicalForm, ...synonyms]) tree.add(phrase, canonicalForm);
    return { entity, tree };
  });
}
