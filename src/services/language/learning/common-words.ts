/** Words that occurred more than once in training: others are seen as rare, as words never met will be. */
import type { Read } from "../recognition/reading.ts";
import { addTextToHash, FeatureIndex, startHash } from "./feature-index.ts";

const KIND = 32;
const hashOf = (word: string): number => addTextToHash(startHash(KIND), word);

export function commonWordsOf(utterances: readonly Read[]): FeatureIndex {
  const counts = new Map<string, number>();
  for (const { words } of utterances) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const common = new FeatureIndex();
  for (const [word, count] of counts) if (count > 1) common.add(hashOf(word));
  return common;
}

export const isCommonWord = (common: FeatureIndex, word: string): boolean => common.find(hashOf(word)) >= 0;
