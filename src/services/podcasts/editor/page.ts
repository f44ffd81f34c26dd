/** Editor page for curated lists. */
import { credentialField, html, openingButton, pageKeyIn, toolPage } from "#kernel/html";
import { style } from "./style.ts";

export const renderEditor = toolPage({
  heading: "Curated lists",
  script: "podcasts-editor",
  style,
  foot: "Lists are searched and shown at once.",
  content: html`<form class="card stack" id="opening"><div class="fields two">
${credentialField(pageKeyIn("x-vendor-api-key"))}
<div><label for="list">List</label><select id="list"><option value="">a new list</option></select></div></div>
${openingButton("Show my lists")}
<p class="muted small" id="state" role="status">Nothing has been asked yet.</p>
<noscript><p>This page needs script. Without it, use <code>POST curated_podcasts</code>.</p></noscript></form>
<form class="card stack" id="editing"><h2 id="heading">A new list</h2>
<div><label for="title">Title</label><input id="title" maxlength="300" required></div>
<div><label for="description">Description</label><textarea id="description" rows="3" maxlength="5000"></textarea></div>
<div><label for="source">Where it was published</label><input id="source" type="url" maxlength="2000" placeholder="https://"></div>
<h3 id="chosen-heading">Podcasts</h3><ol class="chosen" id="chosen" aria-labelledby="chosen-heading"></ol>
<p class="muted small" id="none">None yet.</p>
<div class="actions end"><button class="button quiet" type="button" id="remove" hidden>Remove the list</button><button class="button">Save the list</button></div></form>
<form class="card stack" id="finding"><div><label for="words">Find podcasts to add</label><input id="words" autocomplete="off" required></div>
<div class="actions end"><button class="button">Find</button></div><ul class="chosen" id="found" aria-label="Found podcasts"></ul></form>`,
});
