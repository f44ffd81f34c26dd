/** How large definitions and detectors may be: the public quotas, and bounds of our own where none is published. */
export const STATES_MAX = 20;
/** Of one lifecycle of one state. */
export const EVENTS_MAX = 20;
export const TRANSITION_EVENTS_MAX = 20;
export const ACTIONS_PER_EVENT_MAX = 10;
export const VARIABLES_MAX = 50;
/** Running at a time in one detector. */
export const TIMERS_MAX = 5;
export const DEFINITION_BYTES_MAX = 512 * 1024;
export const CONTENT_EXPRESSION_BYTES_MAX = 1024;
export const TIMER_SECONDS_MIN = 1;
export const TIMER_SECONDS_MAX = 31_622_400;
/** Shorter ones are allowed; the analysis warns of them, as the public service does. */
export const TIMER_SECONDS_ADVISED = 60;

export const EXPRESSION_LENGTH_MAX = 4096;
export const EXPRESSION_DEPTH_MAX = 40;
/** A variable may hold a text made of itself; without a bound it would double with every message. */
export const TEXT_LENGTH_MAX = 10_240;
/** Entries that one evaluation may add to its detector's log. */
export const LOG_ENTRIES_MAX = 100;
/** For so long the id of a message counts once. */
export const SEEN_MS = 300_000;
/** Lists and objects in lists and objects. */
export const PAYLOAD_DEPTH_MAX = 100;
