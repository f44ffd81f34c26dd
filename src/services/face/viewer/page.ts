/** The page for dropped pictures: faces, landmarks, matches among them, and nearest persons of a group. */
import { credentialField, fileField, html, openingButton, pageKeyIn, toolPage } from "#kernel/html";
import { style } from "./style.ts";

export const renderViewer = toolPage({
  heading: "Faces in pictures",
  script: "face-viewer",
  style,
  foot: "Pictures are sent to this server to be looked at and are not kept. Ids of faces last ten minutes.",
  content: html`<form class="card stack" id="asking"><div class="fields two">
${credentialField(pageKeyIn("vendor-subscription-key"))}
<div><label for="group">Compare with the persons of</label><select id="group"><option value="">no group</option></select></div></div>
${openingButton("Show my groups")}
${fileField("pictures", "Drop pictures here, or choose some: JPEG, PNG, GIF, BMP or WebP", "image/jpeg,image/png,image/gif,image/bmp,image/webp", true)}
<p class="muted small" id="state" role="status">Nothing has been looked at yet.</p>
<noscript><p>This page needs script. Without it, send a picture with curl: <code>POST detect</code>.</p></noscript></form>
<section aria-labelledby="matches-heading" id="matches" hidden><h2 id="matches-heading">Matches</h2>
<p class="muted small">From a confidence of 0.5 on, two faces count as the same person.</p>
<div class="card"><table><thead><tr><th scope="col">Face</th><th scope="col">Most like</th><th scope="col">Confidence</th></tr></thead><tbody id="match-rows"></tbody></table></div></section>
<section aria-labelledby="pictures-heading" id="looked-at" hidden><h2 id="pictures-heading">Pictures</h2><div id="shown"></div></section>`,
});
