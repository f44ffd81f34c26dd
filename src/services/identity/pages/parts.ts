/** Building blocks of pages: fields, notices, buttons, initials. */
import { createHash } from "node:crypto";
import { attributes, html, type Markup, nothing, type Part } from "#kernel/html";
import type { FormGuard } from "../people/index.ts";

const HUES = 6;

/** Initials instead of a picture: pages load nothing from other origins. */
export function initials(name: string, kind: "app" | "person", little = false): Markup {
  const words = name
    .trim()
    .split(/[\s._-]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = words
    .slice(0, 2)
    .map((word) => [...word.replace(/^[^\p{L}\p{N}]+/u, "")][0] ?? "")
    .join("")
    .toUpperCase();
  const hue = (createHash("sha256").update(name).digest()[0] ?? 0) % HUES;
  const shape = `initials hue-${hue}${kind === "person" ? " round" : ""}${little ? " little" : ""}`;
  return html`<span class="${shape}" aria-hidden="true">${letters || "?"}</span>`;
}

export type Field = {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password" | "url" | "tel" | "date" | "number";
  readonly value?: string | undefined;
  readonly hint?: Part;
  readonly problem?: string | undefined;
  readonly autocomplete?: string;
  readonly required?: boolean;
  /** Shown beside the label. */
  readonly optional?: boolean;
  readonly autofocus?: boolean;
  readonly maxLength?: number;
  /** Beside the label, such as a link. */
  readonly aside?: Part;
  readonly inputMode?: string;
  readonly full?: boolean;
};

const optionalMark = html`<span class="optional">optional</span>`;

function describing({ name, hint, problem }: Pick<Field, "name" | "hint" | "problem">) {
  const ids = [problem ? `${name}-problem` : "", hint ? `${name}-hint` : ""].filter((id) => id !== "");
  return {
    described: ids.length > 0 ? ids.join(" ") : undefined,
    below: html`${problem ? html`<p class="problem" id="${name}-problem">${problem}</p>` : nothing}${
      hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : nothing
    }`,
  };
}

export function field(given: Field): Markup {
  const { described, below } = describing(given);
  const label = html`<label for="${given.name}">${given.label}${given.optional ? optionalMark : nothing}</label>`;
  const input = attributes({
    id: given.name,
    name: given.name,
    type: given.type ?? "text",
    value: given.value,
    autocomplete: given.autocomplete,
    required: given.required,
    autofocus: given.autofocus,
    maxlength: given.maxLength,
    inputmode: given.inputMode,
    "aria-invalid": given.problem ? "true" : undefined,
    "aria-describedby": described,
    ...(given.autocomplete === "username" && { autocapitalize: "none", spellcheck: "false" }),
  });
  return html`<div${given.full ? attributes({ class: "full" }) : nothing}>${
    given.aside ? html`<div class="label-row">${label}${given.aside}</div>` : label
  }<input${input}>${below}</div>`;
}

export type Area = Pick<Field, "name" | "label" | "value" | "hint" | "problem" | "optional" | "full">;
/** Several lines, such as a list of addresses. */
export function area(given: Area): Markup {
  const { described, below } = describing(given);
  const text = attributes({
    id: given.name,
    name: given.name,
    rows: 3,
    spellcheck: "false",
    "aria-invalid": given.problem ? "true" : undefined,
    "aria-describedby": described,
  });
  return html`<div${given.full ? attributes({ class: "full" }) : nothing}><label for="${given.name}">${given.label}${
    given.optional ? optionalMark : nothing
  }</label><textarea${text}>${given.value ?? ""}</textarea>${below}</div>`;
}

export type Choices = Pick<Field, "name" | "label" | "value" | "hint" | "problem"> & {
  readonly options: readonly (readonly [value: string, text: string])[];
};
export function select(given: Choices): Markup {
  const { described, below } = describing(given);
  const options = given.options.map(
    ([value, text]) =>
      html`<option${attributes({ value, selected: value === given.value })}>${text}</option>`,
  );
  return html`<div><label for="${given.name}">${given.label}</label><select${attributes({
    id: given.name,
    name: given.name,
    "aria-describedby": described,
  })}>${options}</select>${below}</div>`;
}

export const checkbox = (given: {
  readonly name: string;
  readonly value: string;
  readonly label: Part;
  readonly checked: boolean;
}): Markup =>
  html`<label class="choice"><input${attributes({
    type: "checkbox",
    name: given.name,
    value: given.value,
    checked: given.checked,
  })}><span>${given.label}</span></label>`;

/** Screen readers announce a problem immediately. */
export const notice = (content: Part, kind: "good" | "bad" | "warn" = "good"): Markup =>
  html`<div class="notice${kind === "good" ? "" : ` ${kind}`}" role="${kind === "bad" ? "alert" : "status"}">${content}</div>`;
export const badNotice = (text: string | undefined): Markup =>
  text === undefined ? nothing : notice(html`<p>${text}</p>`, "bad");

export type Form = {
  readonly action: string;
  readonly content: Part;
  readonly className?: string;
  readonly data?: Readonly<Record<string, string>>;
};
/** Every form carries the token that forged ones lack. */
export const form = (
  { guard }: { readonly guard: FormGuard },
  { action, content, className, data = {} }: Form,
): Markup =>
  html`<form${attributes({ method: "post", action, class: className, ...data })}><input type="hidden" name="form_token" value="${guard.token}">${content}</form>`;

export const hidden = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** A button that the script brings to life; `source` is the id of the element whose text is copied. */
export const copyButton = (source: string, label: string): Markup =>
  html`<button type="button" class="button quiet slim copy" data-copy="${source}" hidden>Copy<span class="unseen"> ${label}</span></button>`;
