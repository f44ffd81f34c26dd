/** Values that several parts of the page share, and how they hear of a change. */
import { useEffect, useState } from "preact/hooks";

export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }
  get value(): T {
    return this.#value;
  }
  set(value: T): void {
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState({});
  useEffect(() => store.subscribe(() => redraw({})), [store]);
  return store.value;
}
