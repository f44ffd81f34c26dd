/** A few choices beside each other, of which one is taken: the browser's own radio buttons, drawn as one control. */
import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

export function Segments<T extends string>({
  label,
  choices,
  value,
  onInput,
}: {
  readonly label: string;
  readonly choices: readonly (readonly [value: T, text: ComponentChildren])[];
  readonly value: T;
  readonly onInput: (value: T) => void;
}): JSX.Element {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="unseen">{label}</legend>
      {choices.map(([one, text]) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === value} onChange={() => onInput(one)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
