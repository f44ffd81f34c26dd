/** A trained model: trained in a worker, stored as bytes, and loaded for predictions. */

import { promisify } from "node:util";
import { brotliCompressSync, brotliDecompress, constants } from "node:zlib";
import type { VersionContent } from "../domain/content.ts";
import { type Finders, findersOf } from "../recognition/findings.ts";
import { type PatternNode, parsePattern } from "../recognition/patterns.ts";
import { PhraseTree } from "../recognition/phrases.ts";
import type { Definition } from "./definition.ts";
import { FeatureIndex } from "./feature-index.ts";
import { type IntentModel, intentsFromSections, sectionsOfIntents } from "./intent-model.ts";
import { readSections, type Sections, sectionOf, writeSections } from "./sections.ts";
import type { SequenceModel } from "./sequence-learner.ts";

const CONTENT = "content";
const unpack = promisify(brotliDecompress);
/** Brotli gives the same bytes on every machine; at this quality it takes milliseconds. */
const PACKING = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The result of training. */
export type Trained = {
  readonly definition: Definition;
  readonly intents: IntentModel;
  readonly sequences: ReadonlyMap<string, SequenceModel>;
  /** Words that occurred more than once. */
  readonly commonWords: FeatureIndex;
};

export type LoadedModel = Trained & {
  /** Its size in memory. */
  readonly bytes: number;
  readonly finders: Finders;
  readonly patterns: readonly { readonly intent: string; readonly pattern: PatternNode }[];
  /** Words of a Pattern.Any that belong together, by its name. */
  readonly explicitLists: ReadonlyMap<string, PhraseTree<true>>;
};

type About = {
  readonly definition: Definition;
  readonly sequences: readonly { readonly key: string; readonly names: readonly string[] }[];
};

/** With all that it was learned from, for packages. */
export function bytesOfModel(
  { definition, intents, sequences, commonWords }: Trained,
  content: VersionContent,
): Uint8Array<ArrayBuffer> {
  const about: About = {
    definition,
    sequences: [...sequences].map(([key, { names }]) => ({ key, names })),
  };
  const ofSequences = [...sequences.values()].map(
    (model, at): Sections => ({
      [`${at}hashes`]: model.index.hashes,
      [`${at}rows`]: model.index.rows,
      [`${at}weights`]: model.weights,
      [`${at}steps`]: model.steps,
      [`${at}stepWeights`]: model.stepWeights,
    }),
  );
  return writeSections(about, {
    ...sectionsOfIntents(intents),
    commonHashes: commonWords.hashes,
    commonRows: commonWords.rows,
    ...Object.assign({}, ...ofSequences),
    [CONTENT]: new Uint8Array(brotliCompressSync(JSON.stringify(content), PACKING)),
  });
}

/** The content that a model was trained on. Models of earlier releases do not contain it. */
export async function contentOfModel(bytes: Uint8Array): Promise<VersionContent | undefined> {
  const packed = readSections(bytes).sections[CONTENT];
  if (!(packed instanceof Uint8Array)) return undefined;
  return JSON.parse((await unpack(packed)).toString()) as VersionContent;
}

/** Throws ModelFormatError for bytes that no training of this version gave. */
export function loadModel(bytes: Uint8Array): LoadedModel {
  const { about, sections } = readSections(bytes);
  const { definition, sequences } = about as About;
  const floats = (name: string): Float32Array => sectionOf(sections, name, Float32Array);
  const integers = (name: string): Int32Array => sectionOf(sections, name, Int32Array);
  return {
    ...ready(definition),
    definition,
    intents: intentsFromSections(sections),
    commonWords: new FeatureIndex(integers("commonHashes"), integers("commonRows")),
    sequences: new Map(
      sequences.map(({ key, names }, at) => [
        key,
        {
          names,
          index: new FeatureIndex(integers(`${at}hashes`), integers(`${at}rows`)),
          weights: floats(`${at}weights`),
          steps: integers(`${at}steps`),
          stepWeights: floats(`${at}stepWeights`),
        },
      ]),
    ),
    bytes: bytes.length + JSON.stringify(definition).length * 4,
  };
}

function ready(definition: Definition): Pick<LoadedModel, "finders" | "patterns" | "explicitLists"> {
  const explicitLists = new Map<string, PhraseTree<true>>();
  for (const entity of definition.entities) {
    if (entity.kind !== "pattern-any") continue;
    const tree = new PhraseTree<true>(definition.rules);
    for (const { text } of entity.explicitList) tree.add(text, true);
    explicitLists.set(entity.name, tree);
  }
  return {
    finders: findersOf(definition),
    patterns: definition.patterns.map(({ intent, text }) => ({
      intent,
      pattern: parsePattern(text, definition.rules),
    })),
    explicitLists,
  };
}
