/** What one running instance keeps in memory. */
export type State = { readonly countWords: (text: string) => number };

/** What is costly to make waits for its first use. */
export function start(): State {
  let segmenter: Intl.Segmenter | undefined;
  return {
    countWords(text) {
      segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
      let count = 0;
      for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count += 1;
      return count;
    },
  };
}
