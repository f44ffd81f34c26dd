/** What is said while the server does not answer; it is asked until it does, and then every page asks again for what it missed. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { call, isThere } from "../api.ts";
import { useStore } from "../store.ts";

const ASKED_EVERY_MS = 1000;

export function Absence(): JSX.Element {
  const isHere = useStore(isThere);
  useEffect(() => {
    if (isHere) return undefined;
    const timer = setInterval(
      () => void call("medley.session.show", {}).catch(() => undefined),
      ASKED_EVERY_MS,
    );
    return () => clearInterval(timer);
  }, [isHere]);
  return (
    <div class="absence" role="alert">
      {!isHere && (
        <p class="notice bad">
          <strong>The server does not answer.</strong> Start it again with <code>medley serve</code>: this
          page goes on as soon as it does.
        </p>
      )}
    </div>
  );
}
