/** The default start and completion windows of a job. */
export const START_WINDOW_MINUTES = 480;
export const COMPLETION_WINDOW_MINUTES = 10_080;
export const MINUTE_MS = 60_000;
