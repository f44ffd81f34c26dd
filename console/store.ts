/** How components hear of a change of a shared value. */
import { useEffect, useState } from "preact/hooks";
import type { Store } from "./shared-value.ts";

export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState({});
  useEffect(() => store.subscribe(() => redraw({})), [store]);
  return store.value;
}
