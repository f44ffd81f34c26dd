/**
 * Public interface of `cards`: cards, their use at merchants, and settlement. Imports payments, requests,
 * money and book.
 */
export { bodyOf, CARD, CARDS_MAX, getCard, orderCard } from "./cards.ts";
export { challenge, expireChallenge } from "./challenges.ts";
export { ACTION, type Authorisation, actionBodyOf } from "./domain/card-actions.ts";
export { ENTRY_MODES, type EntryMode } from "./domain/cards.ts";
export { cardJobs } from "./jobs.ts";
export { cardActionOperations } from "./operations/card-actions.ts";
export { cardOperations } from "./operations/cards.ts";
export { challengeOperations } from "./operations/challenges.ts";
export { TILL_PATH, tillOperations } from "./operations/till.ts";
export { listCardUses, type Span } from "./store/cards.ts";
export { authorise, refund, reservationEnd, reverse, settle } from "./transactions.ts";
