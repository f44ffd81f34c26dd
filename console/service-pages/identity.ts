/**
 * The only script of the sign-in pages: passkeys, copy buttons, and going on after a sign-out. Everything else works
 * without it.
 */

/** Of the server's options, what has bytes in it; the rest is passed on as it came. */
type Named = { readonly id: string; readonly type: "public-key" };
type CreationOptions = Omit<
  PublicKeyCredentialCreationOptions,
  "challenge" | "user" | "excludeCredentials"
> & {
  readonly challenge: string;
  readonly user: Omit<PublicKeyCredentialUserEntity, "id"> & { readonly id: string };
  readonly excludeCredentials?: readonly Named[];
};
type ProofOptions = Omit<PublicKeyCredentialRequestOptions, "challenge" | "allowCredentials"> & {
  readonly challenge: string;
  readonly allowCredentials?: readonly Named[];
};

const ONWARD_AFTER_MS = 5000;
const COPIED_MS = 2000;

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (mark) => mark.charCodeAt(0));
const toText = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const named = (list: readonly Named[] = []) => list.map((one) => ({ ...one, id: toBytes(one.id) }));

function credentialIn(made: Credential | null): PublicKeyCredential {
  if (!(made instanceof PublicKeyCredential)) throw new Error("no credential");
  return made;
}
const common = ({ id, rawId, type }: PublicKeyCredential) => ({
  id,
  rawId: toText(rawId),
  type,
  clientExtensionResults: {},
});

async function create(options: CreationOptions) {
  const made = credentialIn(
    await navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: toBytes(options.challenge),
        user: { ...options.user, id: toBytes(options.user.id) },
        excludeCredentials: named(options.excludeCredentials),
      },
    }),
  );
  const response = made.response as AuthenticatorAttestationResponse;
  return {
    ...common(made),
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      attestationObject: toText(response.attestationObject),
      // Older browsers lack it.
      transports: "getTransports" in response ? response.getTransports() : [],
    },
  };
}
async function prove(options: ProofOptions) {
  const proof = credentialIn(
    await navigator.credentials.get({
      publicKey: {
        ...options,
        challenge: toBytes(options.challenge),
        allowCredentials: named(options.allowCredentials),
      },
    }),
  );
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    proof.response as AuthenticatorAssertionResponse;
  return {
    ...common(proof),
    response: {
      clientDataJSON: toText(clientDataJSON),
      authenticatorData: toText(authenticatorData),
      signature: toText(signature),
      userHandle: userHandle ? toText(userHandle) : undefined,
    },
  };
}

function say(form: HTMLFormElement, text: string): void {
  const place = form.querySelector<HTMLElement>("[data-problem]");
  if (!place) return;
  place.textContent = text;
  place.hidden = text === "";
}
function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement {
  const field = form.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) throw new Error(`The form has no field ${name}.`);
  return field;
}
async function usePasskey(form: HTMLFormElement): Promise<void> {
  const answer = await fetch(form.dataset.options ?? "", {
    method: "POST",
    credentials: "same-origin",
    body: new URLSearchParams({ form_token: fieldOf(form, "form_token").value }),
  });
  if (!answer.ok) throw new Error("options");
  const options = await answer.json();
  const result = form.dataset.passkey === "create" ? await create(options) : await prove(options);
  fieldOf(form, "passkey").value = JSON.stringify(result);
  form.submit();
}
function wordsOf(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return "This device already has a passkey for you.";
  if (name === "NotAllowedError") return "That was cancelled or took too long. Please try again.";
  return "That did not work. Please try again, or use your password.";
}

const all = <E extends HTMLElement = HTMLElement>(selector: string) => document.querySelectorAll<E>(selector);
const isByAddress = /^[\d.]+$|^\[/.test(location.hostname);
if ("PublicKeyCredential" in window && !isByAddress) {
  for (const part of all("[data-with-passkeys]")) part.hidden = false;
  for (const part of all("[data-without-passkeys]")) part.hidden = true;
  for (const form of all<HTMLFormElement>("form[data-passkey]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      say(form, "");
      const button = form.querySelector("button");
      if (button) button.disabled = true;
      usePasskey(form).catch((error: unknown) => {
        if (button) button.disabled = false;
        say(form, wordsOf(error));
      });
    });
  }
}

const onward = document.querySelector<HTMLAnchorElement>("a[data-onward]");
if (onward) {
  const leave = () => location.replace(onward.href);
  // A page has loaded once all its frames have; one that never answers is not waited for.
  window.addEventListener("load", leave);
  setTimeout(leave, ONWARD_AFTER_MS);
}

for (const button of all<HTMLButtonElement>("button[data-copy]")) {
  const source = document.getElementById(button.dataset.copy ?? "");
  const label = button.firstChild;
  // Pages that are not secure have no clipboard.
  if (!source || !label || !("clipboard" in navigator)) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(source.textContent);
    label.textContent = "Copied";
    setTimeout(() => {
      label.textContent = "Copy";
    }, COPIED_MS);
  });
}
