/** A session of a signed-in person in a browser. */

/**
 * Readable by script on purpose, because the session iframe watches it. Empty or absent: nobody is signed
 * in.
 */
export const BROWSER_STATE_COOKIE = "identity_browser_state";

export type BrowserSession = {
  /** Public name of the session (the `sid` claim); never the secret inside the cookie. */
  readonly id: string;
  readonly account: string;
  readonly userId: string;
  /** When the person last actively proved who they are. */
  readonly authTimeMs: number;
  /** The value of the browser-state cookie that goes with this session. */
  readonly browserState: string;
  /** Authentication methods as RFC 8176 names them: `pwd`, `hwk`, … */
  readonly methods: readonly string[];
};
