/** A request that was sent before, to be changed and sent again. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { useAnswer, useWork } from "../../loading.ts";
import { Button, Shown, WorkNote } from "../../parts/basics.tsx";
import { BodyView } from "../../parts/bodies/body-view.tsx";
import { AreaField, SelectField, TextField } from "../../parts/fields.tsx";
import { isHidden, headersOf as ownHeadersOf, type RequestDetail } from "../requests/sent.ts";
import type { Tried } from "./form.tsx";
import { FileField } from "./schema-fields.tsx";
import { base64Of } from "./sent.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].map(
  (one) => [one, one] as const,
);
const bodyText = ({ body, type }: RequestDetail["request"]): string =>
  body === undefined || body === null
    ? ""
    : typeof body === "string"
      ? body
      : JSON.stringify(body, null, /json/.test(type ?? "") ? 2 : undefined);

/** Secrets are the server's to add. */
const headerLines = (request: RequestDetail): string =>
  ownHeadersOf(request)
    .filter(([name, value]) => name !== "authorization" && !isHidden(value))
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
const headersOf = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines
      .split("\n")
      .map((line): [string, string] => {
        const at = line.indexOf(":");
        return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()];
      })
      .filter(([name]) => name !== ""),
  );

function Editor({
  request,
  onAnswer,
}: {
  readonly request: RequestDetail;
  readonly onAnswer: (tried: Tried) => void;
}): JSX.Element {
  const [method, setMethod] = useState(request.method);
  const [path, setPath] = useState(request.url);
  const [headers, setHeaders] = useState(headerLines(request));
  const [body, setBody] = useState(bodyText(request.request));
  const [file, setFile] = useState<File>();
  const isText = request.request.bytes === undefined && request.request.parts === undefined;
  const isSame = !isText || body === bodyText(request.request);
  const work = useWork(async () => {
    const changes = {
      method,
      path,
      headers: headersOf(headers),
      ...(file ? { bytes: await base64Of(file) } : !isSame && { body }),
    };
    onAnswer(await call("medley.requests.again", { params: { id: request.id }, body: changes }));
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void work.run();
      }}
    >
      <h2>{request.matched?.summary ?? "A request"}, edited</h2>
      <div class="fields method-path">
        <SelectField label="Method" value={method} onInput={setMethod} choices={METHODS} />
        <TextField label="Address" isMono required value={path} onInput={setPath} />
      </div>
      <AreaField
        label="Headers"
        hint="One a line. The credential is put on by the server."
        value={headers}
        onInput={setHeaders}
      />
      {isText ? (
        <AreaField label="Body" rows={12} value={body} onInput={setBody} />
      ) : (
        <>
          <FileField name="Body" isNeeded={false} hint="Instead of what was sent." onInput={setFile} />
          {!file && <BodyView body={request.request} label="Body as it was sent" />}
        </>
      )}
      <WorkNote work={work} />
      <Button type="submit" kind="main" icon="try" isBusy={work.isBusy}>
        Send
      </Button>
    </form>
  );
}

export function EditRequest({
  id,
  onAnswer,
}: {
  readonly id: string;
  readonly onAnswer: (tried: Tried) => void;
}): JSX.Element {
  const loaded = useAnswer("medley.requests.get", { params: { id } });
  return (
    <Shown of={loaded}>
      {(request) => <Editor key={request.id} request={request} onAnswer={onAnswer} />}
    </Shown>
  );
}
