/**
 * Limits of definitions and detectors: the public quotas, and limits of this product where none is
 * published.
 */
export const STATES_MAX = 20;
/** Per lifecycle of a state. */
export const EVENTS_MAX = 20;
export const TRANSITION_EVENTS_MAX = 20;
export const ACTIONS_PER_EVENT_MAX = 10;
export const VARIABLES_MAX = 50;
/** Running timers of one detector. */
export const TIMERS_MAX = 5;
export const DEFINITION_BYTES_MAX = 512 * 1024;
export const CONTENT_EXPRESSION_BYTES_MAX = 1024;
export const TIMER_SECONDS_MIN = 1;
export const TIMER_SECONDS_MAX = 31_622_400;
/** Shorter timers are allowed, with a warning in the analysis, as in the public service. */
export const TIMER_SECONDS_ADVISED = 60;

export const EXPRESSION_LENGTH_MAX = 4096;
export const EXPRESSION_DEPTH_MAX = 40;
/** Without a limit, a variable that is assigned its own text twice would double with every message. */
export const TEXT_LENGTH_MAX = 10_240;
/** Log entries of one evaluation. */
export const LOG_ENTRIES_MAX = 100;
/** Time in which a repeated message id is ignored. */
export const SEEN_MS = 300_000;
/** Nesting of lists and objects. */
export const PAYLOAD_DEPTH_MAX = 100;
