/** Pages that the server writes, complete without script: the documentation, and what runs here for those not signed in. */
import type { JSX } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { isThere } from "../api.ts";
import { useReturn } from "../loading.ts";
import { Waiting } from "../parts/basics.tsx";
import { prepareDocs } from "./docs.ts";

type Written = { readonly html: string; readonly title: string };

const contentOf = (page: Document): string => page.querySelector("#content .page")?.innerHTML ?? "";
/** What was there before the app began is shown as it is, without asking again. */
const known = new Map<string, Written>([
  [location.pathname, { html: contentOf(document), title: document.title }],
]);

async function load(path: string): Promise<Written> {
  const answer = await fetch(path, { headers: { accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const html = contentOf(page) || (page.querySelector(".sheet")?.innerHTML ?? "");
  const written = { html, title: page.title };
  if (answer.ok) known.set(path, written);
  return written;
}

/** An address with a # behind it leads to one operation, which is opened. */
function openNamed(place: HTMLElement | null): void {
  const named =
    location.hash === "" ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!named || !place?.contains(named)) return;
  if (named instanceof HTMLDetailsElement) named.open = true;
  named.scrollIntoView();
}

export function ServerPage({ path }: { readonly path: string }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ path: string; written?: Written }>({ path });
  const [turn, setTurn] = useState(0);
  const written = known.get(path) ?? (shown.path === path ? shown.written : undefined);
  useEffect(() => {
    if (known.has(path)) return;
    load(path).then(
      (found) => setShown({ path, written: found }),
      () => isThere.set(false),
    );
  }, [path, turn]);
  useReturn(
    written === undefined,
    useCallback(() => setTurn((before) => before + 1), []),
  );
  useEffect(() => {
    if (!written) return;
    document.title = written.title;
    openNamed(place.current);
    return place.current ? prepareDocs(place.current) : undefined;
  }, [written]);
  if (!written)
    return (
      <div class="page">
        <Waiting rows={8} />
      </div>
    );
  // Our own server's page, in which every text is escaped.
  return <div class="page" ref={place} dangerouslySetInnerHTML={{ __html: written.html }} />;
}
