/** The page for trying a function: a request and its answer, figures of the processes, and log lines. */
import { credentialField, html, openingButton, pageToken, toolPage } from "#kernel/html";
import { style } from "./style.ts";

export const renderTryPage = toolPage({
  heading: "Try a function",
  script: "functions-try",
  style,
  foot: "Figures are those of the node that answers this page.",
  content: html`<form class="card stack" id="choosing"><div class="fields two">
${credentialField(pageToken)}
<div><label for="project">Project</label><input id="project" autocomplete="off" spellcheck="false" value="demo" required></div></div>
${openingButton("Show functions")}
<div><label for="function">Function</label><select id="function"><option value="">none yet</option></select></div>
<p class="muted small" id="state" role="status">Nothing has been asked yet.</p>
<noscript><p>This page needs script. Without it, call the function's address with curl.</p></noscript></form>
<form class="card stack" id="calling"><div class="fields two">
<div><label for="method">Method</label><select id="method"><option>GET</option><option>POST</option><option>PUT</option><option>PATCH</option><option>DELETE</option></select></div>
<div><label for="path">Path and query</label><input id="path" autocomplete="off" spellcheck="false" value="/"></div></div>
<div><label for="body">Body</label><textarea id="body" rows="3" spellcheck="false"></textarea></div>
<div class="fields two"><div><label for="type">Type of the body</label><input id="type" autocomplete="off" value="application/json"></div></div>
<div class="actions end"><button class="button" id="call" disabled>Call it</button></div></form>
<section aria-labelledby="answer-heading" id="answer" hidden><h2 id="answer-heading">Answer</h2><p id="answer-line"></p><pre class="card" id="answer-text" tabindex="0"></pre></section>
<section aria-labelledby="figures-heading" id="figures" hidden><h2 id="figures-heading">Processes</h2><dl class="card figures" id="figure-list"></dl></section>
<section aria-labelledby="lines-heading" id="log" hidden><h2 id="lines-heading">What it wrote</h2>
<div class="card"><table><thead><tr><th scope="col">Time</th><th scope="col">Severity</th><th scope="col">Text</th></tr></thead><tbody id="line-rows"></tbody></table></div></section>`,
});
