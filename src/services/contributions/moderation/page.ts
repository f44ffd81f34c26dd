/** The page for moderators: one contribution at a time, decided by keys. A console session needs no token. */
import { credentialField, html, type Page, pageToken, toolPage } from "#kernel/html";
import { style } from "./style.ts";

const render = toolPage({
  heading: "Moderation",
  script: "contributions-moderation",
  style,
  foot: "Each decision is kept with who took it and when.",
  content: html`<form class="card stack" id="choosing"><div class="fields two">
${credentialField(pageToken)}
<div><label for="state">Which ones</label><select id="state"><option value="pending">waiting for a moderator</option><option value="flagged">hidden by flags</option><option value="approved">approved</option><option value="rejected">rejected</option></select></div>
<div><label for="assignment">Assignment</label><select id="assignment"><option value="">all of them</option></select></div></div>
<div class="actions end"><button class="button">Begin</button></div>
<p class="muted small" id="told" role="status">Nothing has been asked yet.</p>
<noscript><p>This page needs script. Without it, send decisions to /contributions/{id}/moderate.</p></noscript></form>
<section class="card" id="shown" aria-labelledby="headline" hidden><h2 id="headline" tabindex="-1"></h2><p id="text"></p>
<div class="media" id="media"></div><dl class="facts" id="facts"></dl>
<div class="notes"><label for="notes">Notes</label><input id="notes" autocomplete="off" maxlength="500"></div>
<div class="decisions"><button class="button" id="approve" aria-keyshortcuts="a">Approve <kbd>A</kbd></button>
<button class="button danger" id="reject" aria-keyshortcuts="r">Reject <kbd>R</kbd></button>
<button class="button quiet" id="flag" aria-keyshortcuts="f">Flag <kbd>F</kbd></button>
<button class="button quiet" id="next" aria-keyshortcuts="n">Next <kbd>N</kbd></button></div></section>`,
});

/** `origin`: the origin of pictures and films. */
export const renderModerationPage = (origin: string): Page =>
  render({ pictureSources: [origin], soundSources: [origin] });
