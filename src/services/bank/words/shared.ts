/** Words for members that all have. */
import type { SharedWords } from "#kernel/operation";

export const sharedWords: SharedWords = {};
