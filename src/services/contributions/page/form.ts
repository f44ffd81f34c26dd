/** The form on an assignment's page: the common fields, the fields of its owner's form, and consent. */
import { attributes, html, type Markup, nothing, type Part } from "#kernel/html";
import type { Field } from "../domain/forms.ts";

export const FIELD_PREFIX = "field:";
export const FILES = "pictures";
export const CONSENT = "consent";
export const HEADLINE_MAX = 200;
export const BODY_MAX = 10_000;
export const NAME_MAX = 200;

export type Filled = Readonly<Record<string, string>>;
export type FormProblem = { readonly name: string; readonly message: string };
type Input = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
};

class Controls {
  readonly #filled: Filled;
  readonly #problems: readonly FormProblem[];
  constructor(filled: Filled, problems: readonly FormProblem[]) {
    this.#filled = filled;
    this.#problems = problems;
  }
  #idOf(name: string): string {
    return `f-${name.replace(/[^A-Za-z0-9]/g, "-")}`;
  }
  value(name: string): string {
    return this.#filled[name] ?? "";
  }
  /** The common attributes of a control: its name, whether it is required, and its description. */
  #own({ name, hint, required = false, maxLength }: Input): Markup {
    const id = this.#idOf(name);
    const problem = this.#problems.find((one) => one.name === name);
    const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(problem ? [`${id}-problem`] : [])];
    return attributes({
      id,
      name,
      required,
      ...(maxLength !== undefined && { maxlength: String(maxLength) }),
      ...(described.length > 0 && { "aria-describedby": described.join(" ") }),
      ...(problem && { "aria-invalid": "true" }),
    });
  }
  #called({ label, required = false }: Input): Markup {
    return html`${label}${required ? nothing : html`<span class="optional">optional</span>`}`;
  }
  /** The text below a control. */
  #below({ name, hint }: Input): Markup {
    const id = this.#idOf(name);
    const problem = this.#problems.find((one) => one.name === name);
    return html`${hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`}${
      problem ? html`<p class="problem" id="${id}-problem">${problem.message}</p>` : nothing
    }`;
  }
  #around(input: Input, control: Markup): Markup {
    const id = this.#idOf(input.name);
    return html`<div><label for="${id}">${this.#called(input)}</label>${control}${this.#below(input)}</div>`;
  }
  text(input: Input, type = "text", more: Part = nothing): Markup {
    return this.#around(
      input,
      html`<input type="${type}" value="${this.value(input.name)}"${more}${this.#own(input)}>`,
    );
  }
  long(input: Input): Markup {
    return this.#around(
      input,
      html`<textarea rows="5"${this.#own(input)}>${this.value(input.name)}</textarea>`,
    );
  }
  files(input: Input): Markup {
    return this.#around(
      input,
      html`<input type="file" multiple accept="image/jpeg,image/png,image/webp,image/gif,image/heic,video/mp4,video/quicktime,video/webm"${this.#own(input)}><ul class="chosen" data-chosen aria-live="polite"></ul>`,
    );
  }
  select(input: Input, options: readonly string[]): Markup {
    const chosen = this.value(input.name);
    return this.#around(
      input,
      html`<select${this.#own(input)}><option value=""></option>${options.map(
        (option) => html`<option${option === chosen ? html` selected` : nothing}>${option}</option>`,
      )}</select>`,
    );
  }
  /** Radio buttons: one choice, with all options visible. */
  radios(input: Input, options: readonly string[]): Markup {
    const { name, required = false } = input;
    const chosen = this.value(name);
    return html`<fieldset class="choices"><legend>${this.#called(input)}</legend>${options.map(
      (value) =>
        html`<label class="choice"><input type="radio"${attributes({ name, value, required, checked: value === chosen })}><span>${value}</span></label>`,
    )}${this.#below(input)}</fieldset>`;
  }
  tick(input: Input, value: string): Markup {
    const { name, label } = input;
    return html`<div><label class="choice"><input type="checkbox" value="${value}"${
      this.value(name) === value ? html` checked` : nothing
    }${this.#own(input)}><span>${label}</span></label>${this.#below(input)}</div>`;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  email: "email",
  telephone: "tel",
  number: "number",
  date: "date",
  url: "url",
};
function askedField(controls: Controls, field: Field): Markup {
  const { name, label = name, description = "", required = false, type, options = [] } = field;
  const hint = [description, field.public ? "Everybody can read this." : ""].join(" ").trim();
  const input: Input = {
    name: `${FIELD_PREFIX}${name}`,
    label,
    required,
    maxLength: BODY_MAX,
    ...(hint !== "" && { hint }),
  };
  if (type === "textarea") return controls.long(input);
  if (type === "select") return controls.select(input, options);
  if (type === "radio") return controls.radios(input, options);
  if (type === "checkbox") return controls.tick(input, "true");
  return controls.text(input, TYPES[type] ?? "text");
}

/** The fields of the owner's form. */
export type Asked = {
  readonly heading: string;
  readonly callToAction: string;
  readonly fields: readonly Field[];
};
function askedFields(controls: Controls, { heading, fields }: Asked): Part {
  if (fields.length === 0) return nothing;
  const all = fields.map((field) => askedField(controls, field));
  return heading === ""
    ? html`${all}`
    : html`<fieldset class="asked stack"><legend>${heading}</legend>${all}</fieldset>`;
}

export type FormParts = {
  readonly action: string;
  readonly callToAction: string;
  readonly asked: Asked;
  readonly mediaRequired: boolean;
  readonly filled: Filled;
  readonly problems: readonly FormProblem[];
};

export function renderForm({
  action,
  callToAction,
  asked,
  mediaRequired,
  filled,
  problems,
}: FormParts): Markup {
  const controls = new Controls(filled, problems);
  return html`<form class="stack" method="post" action="${action}" enctype="multipart/form-data" data-contribute>
${controls.text({ name: "headline", label: "Headline", required: true, maxLength: HEADLINE_MAX })}
${controls.long({ name: "body", label: "What happened?", maxLength: BODY_MAX })}
${controls.files({
  name: FILES,
  label: "Pictures and films",
  required: mediaRequired,
  hint: "JPEG, PNG, WebP, GIF or HEIC; MP4, MOV or WebM. What your camera noted in them, such as the place, is not shown to others.",
})}
${controls.text({ name: "place", label: "Where was it?", maxLength: NAME_MAX, hint: "A place and its country, such as Lyon, France." })}
${controls.text({ name: "attribution", label: "Your name, as it should be shown", maxLength: NAME_MAX }, "text", html` autocomplete="name"`)}
${askedFields(controls, asked)}
${controls.tick(
  {
    name: CONSENT,
    label: "These words and pictures are mine to give, and they may be published here.",
    required: true,
  },
  "yes",
)}
<div data-progress hidden><progress max="100" value="0" aria-label="How much is sent"></progress><p class="hint" data-words role="status"></p></div>
<button class="button wide" type="submit">${callToAction}</button>
</form>`;
}
