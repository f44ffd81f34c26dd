/** A list, and what was chosen of it beside it; where there is no room for both, the chosen one takes the list's place. */
import type { ComponentChildren, JSX } from "preact";

export const Split = ({
  detail,
  hasTree = false,
  children,
}: {
  /** Of the chosen one, if any. */
  readonly detail: ComponentChildren;
  readonly hasTree?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <div class={["split", hasTree && "with-tree", detail && "chosen"].filter(Boolean).join(" ")}>
    {children}
    {detail && <div class="beside">{detail}</div>}
  </div>
);
