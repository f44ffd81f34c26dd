/** The page on which somebody allows an application to act for them. */
import { html, type Page } from "#kernel/html";
import { pages } from "./site.ts";

export type Asked = {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUri: string;
  readonly state: string;
};

export const renderAuthorize = ({ clientId, name, redirectUri, state }: Asked, problem?: string): Page =>
  pages.renderSheet({
    status: problem === undefined ? 200 : 400,
    title: "Allow access",
    heading: html`Allow ${name} to use your accounts?`,
    protection: { formTargets: [new URL(redirectUri).origin] },
    content: html`<p>It will see your accounts and pay from them, until you or it ends that.</p>
${problem === undefined ? "" : html`<p role="alert" class="error">${problem}</p>`}
<form method="post" class="stack">
<input type="hidden" name="client_id" value="${clientId}">
<input type="hidden" name="redirect_uri" value="${redirectUri}">
<input type="hidden" name="state" value="${state}">
<label>Your key <input name="key" type="password" autocomplete="off" maxlength="200"></label>
<div class="row"><button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" class="quiet">Refuse</button></div>
</form>`,
  });
