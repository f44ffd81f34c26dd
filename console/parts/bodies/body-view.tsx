/** A body of a request or an answer: JSON, XML, forms, parts, pictures, sound, or bytes, each as it is best looked at. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { bytesText } from "../../texts.ts";
import { CopyButton } from "../basics.tsx";
import { bytesOfBase64, hexText } from "./hex.ts";
import { Highlighted, indentXml, type Language } from "./highlight.tsx";

export type ShownBody = {
  readonly type?: string | undefined;
  /** Text, or what was JSON. */
  readonly body?: unknown;
  readonly bytes?: string | undefined;
  /** What the bytes are by themselves, where they are called something else. */
  readonly media?: string | undefined;
  readonly parts?: readonly ShownPart[] | undefined;
  readonly length?: number | undefined;
  readonly isWhole?: boolean | undefined;
};

type ShownPart = Omit<ShownBody, "parts"> & { readonly name: string; readonly filename?: string };

/** Lines of readable text, and the language they are in. */
export function readable({ body, type = "" }: ShownBody): {
  text: string;
  language: Language;
} {
  if (body === undefined || body === null || body === "") return { text: "", language: "none" };
  if (typeof body !== "string") return { text: JSON.stringify(body, null, 2), language: "json" };
  if (/json/i.test(type) || /^\s*[[{]/.test(body)) {
    try {
      return { text: JSON.stringify(JSON.parse(body), null, 2), language: "json" };
    } catch {
      return { text: body, language: /json/i.test(type) ? "json" : "none" };
    }
  }
  if (/xml|html/i.test(type) || /^\s*</.test(body)) return { text: indentXml(body), language: "xml" };
  return { text: body, language: "none" };
}

export function Code({
  text,
  language,
  label,
}: {
  readonly text: string;
  readonly language: Language;
  readonly label: string;
}): JSX.Element {
  return (
    <div class={`code ${language}`}>
      <pre tabIndex={0} role="region" aria-label={label}>
        <Highlighted text={text} language={language} />
      </pre>
      <div class="code-actions">
        <CopyButton label={`Copy ${label.toLowerCase()}`} text={() => text} />
      </div>
    </div>
  );
}

/** An address of bytes in memory, given back when they are no longer shown. */
export function useBlobAddress(bytes: BlobPart | undefined, type: string): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (bytes === undefined) return undefined;
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return address;
}

function Binary({
  base64,
  type,
  label,
}: {
  readonly base64: string;
  readonly type: string;
  readonly label: string;
}) {
  const bytes = useMemo(() => bytesOfBase64(base64), [base64]);
  const isPicture = /^image\//.test(type);
  const isSound = /^audio\//.test(type);
  const address = useBlobAddress(isPicture || isSound ? bytes : undefined, type);
  return (
    <>
      {isPicture && address && <img class="picture" src={address} alt={label} />}
      {isSound && address && <audio controls src={address} aria-label={label} />}
      {!(isPicture || isSound) && <Code text={hexText(bytes)} language="hex" label={label} />}
    </>
  );
}

const Pairs = ({ pairs }: { readonly pairs: readonly (readonly [string, string])[] }): JSX.Element => (
  <table class="pairs">
    <tbody>
      {pairs.map(([name, value], at) => (
        <tr key={at}>
          <th scope="row">{name}</th>
          <td>{value}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** One field of a form, or one file. */
const PartView = ({ part }: { readonly part: ShownPart }): JSX.Element => (
  <div class="part">
    <h4>{part.name}</h4>
    {(part.filename !== undefined || part.type) && (
      <p class="muted mono small">
        {[part.filename, part.type, part.length !== undefined && bytesText(part.length)]
          .filter(Boolean)
          .join(", ")}
      </p>
    )}
    <BodyView body={part} label={`Part ${part.name}`} />
  </div>
);

function Content({ body, label }: { readonly body: ShownBody; readonly label: string }): JSX.Element {
  const type = body.type ?? "";
  if (body.parts)
    return (
      <>
        {body.parts.map((part, at) => (
          <PartView key={at} part={part} />
        ))}
      </>
    );
  if (body.bytes !== undefined) {
    const shownAs = /^(?:image|audio)\//.test(type) ? type : (body.media ?? type);
    return <Binary base64={body.bytes} type={shownAs} label={label} />;
  }
  if (typeof body.body === "string" && /x-www-form-urlencoded/.test(type))
    return <Pairs pairs={[...new URLSearchParams(body.body)]} />;
  const { text, language } = readable(body);
  if (text === "") return <p class="muted">No body.</p>;
  return <Code text={text} language={language} label={label} />;
}

export function BodyView({ body, label }: { readonly body: ShownBody; readonly label: string }): JSX.Element {
  return (
    <div class="body-view">
      <Content body={body} label={label} />
      {body.isWhole === false && (
        <p class="muted small">
          Only the beginning was kept{body.length !== undefined && ` of ${bytesText(body.length)}`}.
        </p>
      )}
    </div>
  );
}

export const HeaderList = ({
  headers,
}: {
  readonly headers: Readonly<Record<string, unknown>>;
}): JSX.Element => <Pairs pairs={Object.entries(headers).map(([name, value]) => [name, String(value)])} />;
