/** Page with the live calls of an instance, the log records and the reasons for them. */
import { credentialField, html, openingButton, pageToken, toolPage } from "#kernel/html";
import { style } from "./style.ts";

export const renderTrafficPage = toolPage({
  heading: "Gateway traffic",
  script: "api-diagnostics-traffic",
  style,
  foot: "Calls are those of the node that answers this page.",
  content: html`<form class="card stack" id="choosing"><div class="fields two">
${credentialField(pageToken)}
<div><label for="subscription">Subscription</label><input id="subscription" autocomplete="off" spellcheck="false" required></div></div>
${openingButton("Show instances")}
<div><label for="instance">Instance</label><select id="instance"><option value="">none yet</option></select></div>
<p class="muted small" id="state" role="status">Nothing has been asked yet.</p>
<noscript><p>This page needs script. Without it, ask the instance's address followed by /traffic.</p></noscript></form>
<section aria-labelledby="calls-heading" id="calls" hidden><h2 id="calls-heading">Calls</h2>
<div class="card"><table><thead><tr><th scope="col">Time</th><th scope="col">Call</th><th scope="col">Status</th><th scope="col">Took</th><th scope="col">Kept</th></tr></thead>
<tbody id="rows"></tbody></table><p class="muted" id="none">No calls since this page was opened or the server was started. Send a request to the gateway's address.</p></div></section>`,
});
