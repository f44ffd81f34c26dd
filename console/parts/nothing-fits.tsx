/** Where a filter leaves nothing: the way back to all there is. */
import type { JSX } from "preact";
import { setQuery } from "../router.ts";
import { Button, Empty } from "./basics.tsx";
import type { IconName } from "./icons.tsx";

/** `words`: those of the address that make up the filter. */
export const NothingFits = ({
  icon,
  words,
}: {
  readonly icon: IconName;
  readonly words: readonly string[];
}): JSX.Element => (
  <Empty icon={icon} title="Nothing fits the filter">
    <Button onClick={() => setQuery(Object.fromEntries(words.map((word) => [word, undefined])))}>
      Show all
    </Button>
  </Empty>
);
