/** Descriptions of operations: code in backticks; operations that they name lead to their documentation. */
import type { JSX } from "preact";

const OPERATION = /^([a-z][a-z-]*)\.[\w.-]+$/;

function Mark({ code }: { readonly code: string }): JSX.Element {
  const [, service] = OPERATION.exec(code) ?? [];
  const shown = <code>{code}</code>;
  return service === undefined ? shown : <a href={`/console/docs/${service}/${code}`}>{shown}</a>;
}

/** Every second part was in backticks. */
export const Prose = ({ text }: { readonly text: string }): JSX.Element => (
  <p class="muted">
    {text.split("`").map((part, at) => (at % 2 === 1 ? <Mark key={at} code={part} /> : part))}
  </p>
);
