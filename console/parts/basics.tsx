/** What every page is made of: its head, buttons, tags, and what it says when there is nothing, or something went wrong. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { Problem } from "../api.ts";
import { isAbsent, type Loaded, type Work } from "../loading.ts";
import { Icon, type IconName } from "./icons.tsx";

type Children = { readonly children?: ComponentChildren };

/** `actions`: what can be done with the whole page, at its upper right. */
export const Page = ({
  title,
  lead,
  actions,
  children,
  isFull = false,
}: Children & {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Whether it fills the window and scrolls inside. */
  readonly isFull?: boolean;
}): JSX.Element => (
  <div class={isFull ? "page full" : "page"}>
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {lead && <p class="muted">{lead}</p>}
      </div>
      {actions && <div class="page-actions">{actions}</div>}
    </div>
    {children}
  </div>
);

export const Section = ({
  title,
  actions,
  children,
}: Children & { readonly title: ComponentChildren; readonly actions?: ComponentChildren }): JSX.Element => (
  <section class="section">
    <div class="section-head">
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
);

type ButtonProps = Children & {
  readonly icon?: IconName;
  readonly kind?: "main" | "quiet" | "danger" | "bare";
  readonly label?: string;
  readonly onClick?: () => void;
  readonly isBusy?: boolean;
  readonly disabled?: boolean;
  readonly type?: "button" | "submit";
  readonly pressed?: boolean;
};
/** `label` names a button that shows its icon alone. */
export const Button = ({
  icon,
  kind = "quiet",
  label,
  onClick,
  isBusy = false,
  disabled = false,
  type = "button",
  pressed,
  children,
}: ButtonProps): JSX.Element => (
  <button
    type={type}
    class={`button ${kind === "main" ? "" : kind}${children ? "" : " square"}`}
    aria-label={label}
    title={label}
    aria-pressed={pressed}
    aria-busy={isBusy}
    disabled={disabled || isBusy}
    onClick={onClick}
  >
    {icon && <Icon name={icon} />}
    {children && <span>{children}</span>}
  </button>
);

export const Tag = ({
  tone = "plain",
  title,
  children,
}: Children & {
  readonly tone?: "plain" | "good" | "warn" | "bad";
  readonly title?: string | undefined;
}): JSX.Element => (
  <span class={`badge ${tone}`} title={title}>
    {children}
  </span>
);

const toneOf = (status: number): "good" | "warn" | "bad" | "plain" =>
  status >= 500 ? "bad" : status >= 400 ? "warn" : status >= 200 ? "good" : "plain";
export const StatusTag = ({ status }: { readonly status: number }): JSX.Element => (
  <Tag tone={toneOf(status)}>{status}</Tag>
);
export const Method = ({ method }: { readonly method: string }): JSX.Element => (
  <span class={`method ${method.toLowerCase()}`}>{method}</span>
);

/** What happened, and what to do about it. */
const ADVICE: ReadonlyMap<number, string> = new Map([
  [0, "Start it again with medley serve, then try once more."],
  [403, "Sign in with a credential that may do this."],
  [404, "It may have been deleted, or so old that it is no longer kept."],
  [429, "Wait a moment, then try once more."],
]);
const GONE = 404;
/** `leave`: away from what is shown, where it is one of many. */
export const ProblemNote = ({
  problem,
  retry,
  leave,
}: {
  readonly problem: Problem;
  readonly retry?: () => void;
  readonly leave?: () => void;
}): JSX.Element => (
  <div class="notice bad" role="alert">
    <p>
      <strong>{problem.message}</strong> {ADVICE.get(problem.status)}
    </p>
    {retry && problem.status !== GONE && (
      <Button icon="again" onClick={retry}>
        Try once more
      </Button>
    )}
    {leave && (
      <Button icon="close" onClick={leave}>
        Close
      </Button>
    )}
  </div>
);
/** Of work that a button began. */
export const WorkNote = <Given extends readonly unknown[]>({
  work,
}: {
  readonly work: Work<Given>;
}): JSX.Element | null => (work.problem ? <ProblemNote problem={work.problem} /> : null);

export const Empty = ({
  icon,
  title,
  children,
}: Children & { readonly icon: IconName; readonly title: string }): JSX.Element => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
);

/** Room for what is on its way, so that nothing jumps when it comes. */
export const Waiting = ({ rows = 4 }: { readonly rows?: number }): JSX.Element => (
  <div class="waiting" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_none, at) => (
      <span key={at} />
    ))}
  </div>
);

/** A server that is away is told of at the top of the page. */
export function Shown<T>({
  of,
  rows,
  leave,
  children,
}: {
  readonly of: Loaded<T>;
  readonly rows?: number;
  readonly leave?: () => void;
  readonly children: (data: T) => ComponentChildren;
}): JSX.Element {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.problem && !isAbsent(of.problem))
    return <ProblemNote problem={of.problem} retry={of.reload} {...(leave && { leave })} />;
  return <Waiting {...(rows !== undefined && { rows })} />;
}

/** Browsers keep the clipboard from pages over plain HTTP, but not what is selected there. */
async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const place = document.createElement("textarea");
  place.value = text;
  place.className = "unseen";
  // Inside a dialog nothing else can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(place);
  place.select();
  document.execCommand("copy");
  place.remove();
}

const COPIED_MS = 1500;
export function CopyButton({
  text,
  children,
  label,
}: Children & { readonly text: () => string | Promise<string>; readonly label?: string }): JSX.Element {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await writeToClipboard(await text());
    setDone(true);
    setTimeout(() => setDone(false), COPIED_MS);
  };
  return (
    <Button icon={isDone ? "check" : "copy"} {...(label && { label })} onClick={() => void copy()}>
      {children && (isDone ? "Copied" : children)}
    </Button>
  );
}
