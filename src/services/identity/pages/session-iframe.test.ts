/** The script in the session iframe computes the same value as the authorization endpoint. */
import { createContext, runInContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { sessionStateOf } from "../connect/index.ts";
import { renderSessionIframe } from "./session-iframe.ts";

const ORIGIN = "https://app.example.org";

/** A minimal page for the script. */
function openFrame(clientId: string | undefined, cookie: string) {
  const { html } = renderSessionIframe(clientId, undefined);
  const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? "";
  const attribute = /data-client="([^"]*)"/.exec(html)?.[1] ?? null;
  let listener: ((event: unknown) => void) | undefined;
  const page = {
    document: { cookie, documentElement: { getAttribute: () => attribute } },
    addEventListener: (_kind: string, heard: (event: unknown) => void) => {
      listener = heard;
    },
    TextEncoder,
  };
  runInContext(script, createContext({ ...page, window: page }));
  return (data: unknown, origin = ORIGIN): string => {
    let answer = "";
    const source = { postMessage: (text: string) => (answer = text) };
    listener?.({ data, origin, source });
    return answer;
  };
}
const stateFor = (browserState: string, clientId = "app_1", origin = ORIGIN) =>
  sessionStateOf({ clientId, origin, browserState, salt: "salt" });

describe("session iframe", () => {
  const cookie = "other=1; identity_browser_state=abc123; more=2";
  it("says unchanged while the browser's state is the same", () => {
    expect(openFrame("app_1", cookie)(`app_1 ${stateFor("abc123")}`)).toBe("unchanged");
  });
  it("hashes texts of every length as Node does", () => {
    for (let length = 0; length < 140; length += 7) {
      const browserState = "x".repeat(length);
      const ask = openFrame(undefined, `identity_browser_state=${browserState}`);
      expect(ask(`app_1 ${stateFor(browserState)}`)).toBe("unchanged");
    }
  });
  it("says changed after a sign-out or another sign-in", () => {
    expect(openFrame("app_1", "")(`app_1 ${stateFor("abc123")}`)).toBe("changed");
    expect(openFrame("app_1", "identity_browser_state=zzz")(`app_1 ${stateFor("abc123")}`)).toBe("changed");
  });
  it("says unchanged to one who knew that nobody was signed in", () => {
    expect(openFrame("app_1", "")(`app_1 ${stateFor("")}`)).toBe("unchanged");
  });
  it("says changed to another origin", () => {
    const ask = openFrame("app_1", cookie);
    expect(ask(`app_1 ${stateFor("abc123")}`, "https://evil.example.org")).toBe("changed");
  });
  it.each([["app_1"], [""], ["app_1 a b"], ["app_1 nodot"], [42], [null], [{ client_id: "app_1" }]])(
    "says error to %j",
    (message) => {
      expect(openFrame("app_1", cookie)(message)).toBe("error");
    },
  );
  it("says error to another client", () => {
    expect(openFrame("app_1", cookie)(`app_2 ${stateFor("abc123", "app_2")}`)).toBe("error");
  });
});
