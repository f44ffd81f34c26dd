/** Two texts as one, with the lines that only one of them has marked. */
import type { JSX } from "preact";
import { differenceOf } from "./difference.ts";

const MARKS = { same: " ", left: "−", right: "+" } as const;
const WORDS = { same: undefined, left: "only in the first: ", right: "only in the second: " } as const;

export function DifferenceView({
  left,
  right,
  label,
}: {
  readonly left: string;
  readonly right: string;
  readonly label: string;
}): JSX.Element {
  const lines = differenceOf(left, right);
  if (lines.every(({ kind }) => kind === "same")) return <p class="muted">The same.</p>;
  return (
    <pre class="difference" tabIndex={0} role="region" aria-label={label}>
      <code>
        {lines.map(({ kind, text }, at) => (
          <span key={at} class={`line ${kind}`}>
            <span aria-hidden="true">{MARKS[kind]} </span>
            {WORDS[kind] && <span class="unseen">{WORDS[kind]}</span>}
            {text}
            {"\n"}
          </span>
        ))}
      </code>
    </pre>
  );
}
