/**
 * The only script there is, as the browser gets it: passkeys, copy buttons, and going on after a sign-out. Everything
 * else works without it.
 */

export const script = String.raw`
"use strict";
(() => {
  const toBytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (mark) => mark.charCodeAt(0));
  const toText = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const named = (list) => (list || []).map((one) => ({ ...one, id: toBytes(one.id) }));

  async function create(options) {
    const made = await navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: toBytes(options.challenge),
        user: { ...options.user, id: toBytes(options.user.id) },
        excludeCredentials: named(options.excludeCredentials),
      },
    });
    return {
      id: made.id, rawId: toText(made.rawId), type: made.type, clientExtensionResults: {},
      response: {
        clientDataJSON: toText(made.response.clientDataJSON),
        attestationObject: toText(made.response.attestationObject),
        transports: made.response.getTransports ? made.response.getTransports() : [],
      },
    };
  }
  async function prove(options) {
    const proof = await navigator.credentials.get({
      publicKey: {
        ...options,
        challenge: toBytes(options.challenge),
        allowCredentials: named(options.allowCredentials),
      },
    });
    const { clientDataJSON, authenticatorData, signature, userHandle } = proof.response;
    return {
      id: proof.id, rawId: toText(proof.rawId), type: proof.type, clientExtensionResults: {},
      response: {
        clientDataJSON: toText(clientDataJSON),
        authenticatorData: toText(authenticatorData),
        signature: toText(signature),
        userHandle: userHandle ? toText(userHandle) : undefined,
      },
    };
  }

  const problemOf = (form) => form.querySelector("[data-problem]");
  const say = (form, text) => {
    const place = problemOf(form);
    place.textContent = text;
    place.hidden = text === "";
  };
  async function usePasskey(form) {
    const answer = await fetch(form.dataset.options, {
      method: "POST",
      credentials: "same-origin",
      body: new URLSearchParams({ form_token: form.elements.form_token.value }),
    });
    if (!answer.ok) throw new Error("options");
    const options = await answer.json();
    const result = form.dataset.passkey === "create" ? await create(options) : await prove(options);
    form.elements.passkey.value = JSON.stringify(result);
    form.submit();
  }

  const byAddress = /^[\d.]+$|^\[/.test(location.hostname);
  if (window.PublicKeyCredential && !byAddress) {
    for (const part of document.querySelectorAll("[data-with-passkeys]")) part.hidden = false;
    for (const part of document.querySelectorAll("[data-without-passkeys]")) part.hidden = true;
    for (const form of document.querySelectorAll("form[data-passkey]")) {
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        say(form, "");
        const button = form.querySelector("button");
        button.disabled = true;
        usePasskey(form).catch((error) => {
          button.disabled = false;
          say(form, error.name === "InvalidStateError"
            ? "This device already has a passkey for you."
            : error.name === "NotAllowedError"
              ? "That was cancelled or took too long. Please try again."
              : "That did not work. Please try again, or use your password.");
        });
      });
    }
  }

  const onward = document.querySelector("a[data-onward]");
  if (onward) {
    const leave = () => location.replace(onward.href);
    // A page has loaded once all its frames have; one that never answers is not waited for.
    window.addEventListener("load", leave);
    setTimeout(leave, 5000);
  }

  for (const button of document.querySelectorAll("button[data-copy]")) {
    const source = document.getElementById(button.dataset.copy);
    if (!source || !navigator.clipboard) continue;
    button.hidden = false;
    const label = button.firstChild;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(source.textContent);
      label.data = "Copied";
      setTimeout(() => { label.data = "Copy"; }, 2000);
    });
  }
})();
`.trim();
