/**
 * The workbench page: a box for trying an application, its intents, its confusions, and utterances to
 * review.
 */
import { credentialField, html, openingButton, pageKeyIn, toolPage } from "#kernel/html";
import { style } from "./style.ts";

export const renderWorkbench = toolPage({
  heading: "Language workbench",
  script: "language-workbench",
  style,
  foot: "What is tried here is not written into the query log.",
  content: html`<form class="card stack" id="asking"><div class="fields two">
${credentialField(pageKeyIn("vendor-subscription-key"))}
<div><label for="application">Application and version</label><select id="application"><option value="">none</option></select></div></div>
${openingButton("Show my applications")}
<p class="muted small" id="state" role="status">Nothing is shown yet.</p>
<noscript><p>This page needs script. Without it, ask with curl: <code>GET examples</code> tells predictions beside labels.</p></noscript></form>
<section aria-labelledby="try-heading" id="try" hidden><h2 id="try-heading">Try it</h2>
<form class="card stack" id="trying"><div><label for="utterance">What somebody says</label><input id="utterance" maxlength="500" autocomplete="off" required></div>
<div class="actions end"><button class="button">Understand</button></div>
<p class="said" id="said"></p><div><table><thead><tr><th scope="col">Intent</th><th scope="col">Score</th></tr></thead><tbody id="scores"></tbody></table></div></form></section>
<section aria-labelledby="intents-heading" id="intents" hidden><h2 id="intents-heading">Intents</h2>
<p class="muted small" id="right"></p>
<div class="card scroll" role="group" aria-labelledby="intents-heading" tabindex="0"><table><thead><tr><th scope="col">Intent</th><th scope="col">Utterances</th><th scope="col">Precision</th><th scope="col">Recall</th></tr></thead><tbody id="intent-rows"></tbody></table></div></section>
<section aria-labelledby="matrix-heading" id="matrix" hidden><h2 id="matrix-heading">What is taken for what</h2>
<p class="muted small">Rows are labels, columns are what the trained model says of the same utterances.</p>
<div class="card scroll" role="group" aria-labelledby="matrix-heading" tabindex="0"><table class="matrix"><thead id="matrix-head"></thead><tbody id="matrix-rows"></tbody></table></div></section>
<section aria-labelledby="pairs-heading" id="pairs" hidden><h2 id="pairs-heading">Intents that are confused</h2>
<p class="muted small">Utterances that two intents claim: the model takes them for the wrong one, or the two scores are close.</p>
<div class="card scroll" role="group" aria-labelledby="pairs-heading" tabindex="0"><table><thead><tr><th scope="col">Intents</th><th scope="col">Utterance</th><th scope="col">Label</th><th scope="col">Scores</th></tr></thead><tbody id="pair-rows"></tbody></table></div></section>
<section aria-labelledby="runs-heading" id="runs" hidden><h2 id="runs-heading">The test set over time</h2>
<p class="muted small">Every training runs the test set of the application. It is sent with PUT to testset below the application.</p>
<div class="card scroll" role="group" aria-labelledby="runs-heading" tabindex="0"><table><thead><tr><th scope="col">Trained</th><th scope="col">Version</th><th scope="col">Intents right</th><th scope="col">F of entities</th><th scope="col">Confused most</th></tr></thead><tbody id="run-rows"></tbody></table></div></section>
<section aria-labelledby="review-heading" id="review" hidden><h2 id="review-heading">To review</h2>
<p class="muted small">Labelled utterances that the model takes for something else, and what was asked and nobody has labelled, the least certain first.</p>
<div class="card scroll" role="group" aria-labelledby="review-heading" tabindex="0"><table><thead><tr><th scope="col">Utterance</th><th scope="col">Label</th><th scope="col">Taken for</th><th scope="col">Score</th></tr></thead><tbody id="review-rows"></tbody></table></div></section>`,
});
