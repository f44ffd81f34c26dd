/** The consent page on which a user allows an application to act for them. */
import { html, type Page } from "#kernel/html";
import { pages, problem } from "../../money/index.ts";

export type Asked = {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUri: string;
  readonly state: string;
};

export const renderAuthorize = ({ clientId, name, redirectUri, state }: Asked, mistake?: string): Page =>
  pages.renderSheet({
    status: mistake === undefined ? 200 : 400,
    title: "Allow access",
    heading: html`Allow ${name} to use your accounts?`,
    protection: { formTargets: [new URL(redirectUri).origin] },
    content: html`<p>It will see your accounts and pay from them, until you or it ends that.</p>
${problem(mistake)}<form method="post" class="stack">
<input type="hidden" name="client_id" value="${clientId}">
<input type="hidden" name="redirect_uri" value="${redirectUri}">
<input type="hidden" name="state" value="${state}">
<div><label for="key">Your key</label><input id="key" name="key" type="password" autocomplete="off" maxlength="200"></div>
<button class="button wide" name="decision" value="allow">Allow</button>
<button class="button wide quiet" name="decision" value="deny">Refuse</button>
</form>`,
  });
