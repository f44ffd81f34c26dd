/** The bar at the top: mark, search, the kernel's time, who is signed in. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call, type SignedIn, session } from "../api.ts";
import { Button } from "../parts/basics.tsx";
import { Icon, type IconName } from "../parts/icons.tsx";
import { Clock } from "./clock.tsx";
import { chooseLook, LOOKS, type Look, storedLook } from "./look.ts";

const LOOK_ICONS: Readonly<Record<Look, IconName>> = { system: "half", light: "sun", dark: "moon" };

function LookButton(): JSX.Element {
  const [look, setLook] = useState(storedLook);
  const turn = () => {
    const next = LOOKS[(LOOKS.indexOf(look) + 1) % LOOKS.length] ?? "system";
    chooseLook(next);
    setLook(next);
  };
  return <Button kind="bare" icon={LOOK_ICONS[look]} label={`Look: ${look}. Change it`} onClick={turn} />;
}

export async function signOut(): Promise<void> {
  await call("medley.session.end", {}).catch(() => undefined);
  session.set({ signedIn: false });
}

export function TopBar({
  who,
  isMenuOpen,
  onMenu,
  onSearch,
}: {
  readonly who: SignedIn | undefined;
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
  readonly onSearch: () => void;
}): JSX.Element {
  return (
    <header class="top">
      <button
        type="button"
        class="button bare square menu-button"
        aria-label="Menu"
        aria-expanded={isMenuOpen}
        aria-controls="side"
        onClick={onMenu}
      >
        <Icon name="menu" />
      </button>
      <a class="brand" href="/console">
        <Icon name="mark" />
        <span>Medley</span>
      </a>
      {who ? (
        <button type="button" class="search-button" onClick={onSearch}>
          <Icon name="search" />
          <span>Search</span>
          <kbd class="wide">Ctrl K</kbd>
        </button>
      ) : (
        <span class="grow" />
      )}
      {who?.admin && <Clock />}
      <LookButton />
      {who && (
        <>
          <span class="who wide" title={`Signed in as ${who.name}, account ${who.account}`}>
            <strong>{who.accountName}</strong>
            <small>{who.account}</small>
          </span>
          <Button kind="bare" icon="out" label="Sign out" onClick={() => void signOut()} />
        </>
      )}
    </header>
  );
}
