/** The frame of all pages, and which of them is in it. */
import type { ComponentType, JSX, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type SignedIn, session, whoIn } from "../api.ts";
import { useReturn } from "../loading.ts";
import { ServerPage } from "../pages/server-page.tsx";
import { Button, Empty, Waiting } from "../parts/basics.tsx";
import { useAddress } from "../router.ts";
import { useStore } from "../store.ts";
import { Absence } from "./absence.tsx";
import { Search } from "./search.tsx";
import { SideBar } from "./side-bar.tsx";
import { SignIn } from "./sign-in.tsx";
import { tools } from "./tools.ts";
import { TopBar } from "./top-bar.tsx";

type Loader = () => Promise<{ readonly default: ComponentType }>;
const loaded = new Map<Loader, ComponentType>();

/** Code that could not be loaded is not asked for again by the browser otherwise. */
const reloadAll = () => location.reload();

/** A page's code comes when it is first opened, and stays. */
function Lazy({ load }: { readonly load: Loader }): JSX.Element {
  const [, redraw] = useState({});
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    if (loaded.has(load)) return;
    load().then(
      (module) => {
        loaded.set(load, module.default);
        redraw({});
      },
      () => setLost(true),
    );
  }, [load]);
  useReturn(isLost, reloadAll);
  const Found = loaded.get(load);
  if (Found) return <Found />;
  if (isLost)
    return (
      <Empty icon="warn" title="This page could not be loaded">
        <p>The server does not answer, or was restarted with another version.</p>
        <Button onClick={reloadAll}>Load the page again</Button>
      </Empty>
    );
  return (
    <div class="page">
      <Waiting />
    </div>
  );
}

const servicePage: Loader = () => import("../pages/service.tsx");
const toolPage: Loader = () => import("../pages/tool.tsx");
const serviceLoaderOf = (path: string): Loader => (path.split("/").length > 4 ? toolPage : servicePage);
const loaderOf = (path: string): Loader | undefined =>
  path.startsWith("/console/services/")
    ? serviceLoaderOf(path)
    : tools.find((one) => one.path === path)?.load;

/** While the server is asked who is there, the page's code is on its way as well. */
export async function loadPage(path: string): Promise<void> {
  const load = loaderOf(path);
  if (load) loaded.set(load, (await load()).default);
}

function Content({ who }: { readonly who: SignedIn | undefined }): JSX.Element {
  const { path } = useAddress();
  if (path === "/console/docs" || path.startsWith("/console/docs/")) return <ServerPage path={path} />;
  if (!who)
    return (
      <div class="welcome">
        <SignIn />
        {path === "/console" && <ServerPage path={path} />}
      </div>
    );
  if (path.startsWith("/console/services/")) return <Lazy key={path} load={serviceLoaderOf(path)} />;
  const tool = tools.find((one) => one.path === path);
  if (!tool)
    return (
      <Empty icon="search" title="Page not found">
        <p>
          There is no page at this address. <a href="/console">To the overview</a>
        </p>
      </Empty>
    );
  if (tool.isForAdmins && !who.admin)
    return (
      <Empty icon="credentials" title="For admin accounts">
        <p>Sign out, then sign in with a credential of an admin account.</p>
      </Empty>
    );
  return <Lazy key={path} load={tool.load} />;
}

/** Whoever works by keyboard stays in the page when what they were at is taken out of it. */
function useKeptFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Element | null = null;
    const note = () => {
      last = document.activeElement;
    };
    const watching = new MutationObserver(() => {
      if (last?.isConnected !== false || document.activeElement !== document.body) return;
      page.current?.focus({ preventScroll: true });
    });
    document.addEventListener("focusin", note);
    watching.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", note);
      watching.disconnect();
    };
  }, [page]);
}

export function App(): JSX.Element {
  const known = useStore(session);
  const { path } = useAddress();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const who = whoIn(known);
  useKeptFocus(main);
  // Another page begins at its top, for readers of the screen as well.
  useEffect(() => {
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
    main.current?.scrollTo(0, 0);
    const tool = tools.find((one) => one.path === path);
    if (tool) document.title = `${tool.title} · Medley`;
  }, [path]);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (!(event.key === "k" && (event.ctrlKey || event.metaKey))) return;
      event.preventDefault();
      setSearching(true);
    };
    addEventListener("keydown", open);
    return () => removeEventListener("keydown", open);
  }, []);
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <TopBar
        who={who}
        isMenuOpen={isMenuOpen}
        onMenu={() => setMenuOpen(!isMenuOpen)}
        onSearch={() => setSearching(true)}
      />
      <SideBar who={who} isOpen={isMenuOpen} onClose={() => setMenuOpen(false)} />
      <main class="main" id="content" ref={main} tabIndex={-1}>
        <Absence />
        {known ? <Content who={who} /> : <ServerPage path={path} />}
      </main>
      {who && isSearching && <Search isAdmin={who.admin} onClose={() => setSearching(false)} />}
    </>
  );
}
