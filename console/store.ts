/** How components hear of a change of a shared value. */
import { useLayoutEffect, useState } from "preact/hooks";
import type { Store } from "./shared-value.ts";

export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState({});
  const drawn = store.value;
  useLayoutEffect(() => {
    const stop = store.subscribe(() => redraw({}));
    // It may have changed since this was drawn.
    if (store.value !== drawn) redraw({});
    return stop;
  }, [store]);
  return drawn;
}
