/** How far something has come that takes a while: its position, its target, and a way to stop it. */
import type { ComponentChildren, JSX } from "preact";
import { Button } from "./basics.tsx";

export const Progress = ({
  label,
  percent,
  children,
  onStop,
}: {
  readonly label: string;
  /** Undefined while nobody knows. */
  readonly percent: number | undefined;
  /** Position and target in words. */
  readonly children: ComponentChildren;
  /** Left out where nothing can be stopped any more. */
  readonly onStop?: (() => void) | undefined;
}): JSX.Element => (
  <div class="progress-line">
    <progress aria-label={label} max={100} value={percent} />
    <span class="muted">{children}</span>
    {onStop && (
      <Button icon="close" onClick={onStop}>
        Stop
      </Button>
    )}
  </div>
);
