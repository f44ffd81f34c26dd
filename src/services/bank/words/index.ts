/** Descriptions of members that many shapes share. */
import type { SharedWords } from "#kernel/operation";
import { accessWords } from "./access.ts";
import { cardsWords } from "./cards.ts";
import { paymentsWords } from "./payments.ts";
import { sharedWords } from "./shared.ts";

export const words: SharedWords = { ...cardsWords, ...paymentsWords, ...accessWords, ...sharedWords };
