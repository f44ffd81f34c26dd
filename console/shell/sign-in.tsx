/** Signing in: the token stays with the server, the browser keeps a cookie that no script can read. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call, hasEnded, type Problem, session } from "../api.ts";
import { useWork } from "../loading.ts";
import { Button, CopyButton } from "../parts/basics.tsx";
import { TextField } from "../parts/fields.tsx";
import { Segments } from "../parts/segments.tsx";
import { useStore } from "../store.ts";

const WAYS = [
  ["token", "Token"],
  ["person", "Name and password"],
] as const;
type Way = (typeof WAYS)[number][0];

const textOf = ({ status, message }: Problem, way: Way): string => {
  if (status !== 401) return message;
  return way === "token"
    ? "This token is not valid. The command npx medley credentials shows the ones there are."
    : "The name or the password is wrong.";
};

const COMMAND = "npx medley credentials";

export function SignIn(): JSX.Element {
  const isOver = useStore(hasEnded);
  const [way, setWay] = useState<Way>("token");
  const [token, setToken] = useState("");
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const work = useWork(async () => {
    const body = way === "token" ? { token: token.trim() } : { username: username.trim(), password };
    const begun = await call("medley.session.begin", { body });
    hasEnded.set(false);
    session.set(begun);
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void work.run();
  };
  return (
    <form class="sheet stack sign-in" onSubmit={submit} aria-labelledby="sign-in">
      <div>
        <h1 id="sign-in">Sign in</h1>
        <p class="muted">To see requests, move time and change what the services hold.</p>
        <p class="muted sign-in-command">
          Get a token where the server runs:
          <span>
            <code>{COMMAND}</code> <CopyButton text={() => COMMAND} label="Copy the command" />
          </span>
        </p>
      </div>
      {isOver && (
        <p class="notice warn" role="status">
          Your session is over, or its credential is no longer valid. Sign in again to continue.
        </p>
      )}
      <Segments
        label="How to sign in"
        choices={WAYS}
        value={way}
        onInput={(next) => {
          work.forget();
          setWay(next);
        }}
      />
      {way === "token" ? (
        <TextField
          label="Bearer token"
          hint="A token of an admin account shows everything; another token shows what belongs to its account."
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={setToken}
        />
      ) : (
        <>
          <TextField
            label="User name or e-mail"
            hint="Of a user whom an admin account names."
            autocomplete="username"
            required
            value={username}
            onInput={setUsername}
          />
          <TextField
            label="Password"
            type="password"
            autocomplete="current-password"
            required
            value={password}
            onInput={setPassword}
          />
        </>
      )}
      {work.problem && (
        <p class="notice bad" role="alert">
          <strong>{textOf(work.problem, way)}</strong>
        </p>
      )}
      <Button type="submit" kind="main" isBusy={work.isBusy}>
        Sign in
      </Button>
    </form>
  );
}
