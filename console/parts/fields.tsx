/** Labelled fields of forms. */
import type { ComponentChildren, ComponentProps, JSX } from "preact";
import { useId } from "preact/hooks";

type Common = { readonly label: string; readonly hint?: ComponentChildren; readonly isHidden?: boolean };

/** `isHidden`: the label is for those who cannot see the place where the field is. */
const Labelled = ({
  id,
  label,
  hint,
  isHidden,
  children,
}: Common & { readonly id: string; readonly children: ComponentChildren }): JSX.Element => (
  <div class="field">
    <label for={id} class={isHidden ? "unseen" : ""}>
      {label}
    </label>
    {children}
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </div>
);

type TextProps = Common & {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "password" | "number" | "search";
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly autocomplete?: string;
  /** Words to choose from, or to leave aside. */
  readonly list?: readonly string[];
  readonly isMono?: boolean;
};
type Given = Omit<ComponentProps<"input">, "type" | "list" | "role">;
/** Written out: an input's type decides which other attributes it may have. */
const INPUTS = {
  text: (given: Given) => <input {...given} type="text" />,
  password: (given: Given) => <input {...given} type="password" />,
  number: (given: Given) => <input {...given} type="number" />,
  search: (given: Given) => <input {...given} type="search" />,
} as const;

export function TextField({
  label,
  hint,
  isHidden,
  value,
  onInput,
  list,
  isMono,
  type = "text",
  ...rest
}: TextProps): JSX.Element {
  const id = useId();
  const given = {
    id,
    spellcheck: false,
    class: isMono ? "mono" : "",
    value,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => onInput(event.currentTarget.value),
    ...(hint ? { "aria-describedby": `${id}-hint` } : {}),
    ...rest,
  };
  return (
    <Labelled id={id} label={label} hint={hint} {...(isHidden && { isHidden })}>
      {list ? <input {...given} type="search" list={`${id}-list`} /> : INPUTS[type](given)}
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </Labelled>
  );
}

export function AreaField({
  label,
  hint,
  value,
  onInput,
  rows = 6,
}: Common & {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly rows?: number;
}): JSX.Element {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint}>
      <textarea
        id={id}
        class="mono"
        rows={rows}
        spellcheck={false}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Labelled>
  );
}

export type Choice = readonly [value: string, text: string];
export function SelectField({
  label,
  hint,
  isHidden,
  value,
  onInput,
  choices,
}: Common & {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly choices: readonly Choice[];
}): JSX.Element {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} {...(isHidden && { isHidden })}>
      <select id={id} value={value} onChange={(event) => onInput(event.currentTarget.value)}>
        {choices.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

export function Check({
  label,
  value,
  onInput,
}: {
  readonly label: ComponentChildren;
  readonly value: boolean;
  readonly onInput: (value: boolean) => void;
}): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(event) => onInput(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
