/** Which page is shown: links below /console are followed without loading anything anew. */
import { Store } from "./shared-value.ts";
import { useStore } from "./store.ts";

export type Address = { readonly path: string; readonly query: URLSearchParams };

const read = (): Address => ({ path: location.pathname, query: new URLSearchParams(location.search) });
export const address = new Store<Address>(read());
export const useAddress = (): Address => useStore(address);

export function go(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  address.set(read());
}

/** The same page with other words in its query; empty ones are left out. */
export function hrefWith(changes: Readonly<Record<string, string | undefined>>): string {
  const { path, query } = address.value;
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === "") next.delete(name);
    else next.set(name, value);
  const text = next.toString();
  return text === "" ? path : `${path}?${text}`;
}
export const setQuery = (changes: Readonly<Record<string, string | undefined>>): void =>
  go(hrefWith(changes), { replace: true });

const isOurs = ({ origin, pathname }: URL): boolean =>
  origin === location.origin && /^\/console(?:$|\/(?!assets\/))/.test(pathname);

function follow(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.("a[href]");
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!(link instanceof HTMLAnchorElement) || !isPlain || event.defaultPrevented) return;
  if (link.target !== "" || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (!isOurs(url) || (url.pathname === location.pathname && url.hash !== "")) return;
  event.preventDefault();
  go(url.pathname + url.search + url.hash);
}

export function startRouter(): void {
  document.addEventListener("click", follow);
  addEventListener("popstate", () => address.set(read()));
}
