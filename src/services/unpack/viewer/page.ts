/** The page for dropped executables: verdict, sections, layers, calls, strings and a rule tester. */
import { fileField, html, toolPage } from "#kernel/html";
import { style } from "./style.ts";

export const renderViewer = toolPage({
  heading: "Executables",
  script: "unpack-viewer",
  style,
  foot: "Executables are emulated on this server and never run. What comes of them is kept for a day, or until it is cleaned up.",
  content: html`<form class="card stack" id="asking">
${fileField("file", "Drop a Windows executable here, or choose one: up to 16 MB", ".exe,.dll,.scr,.bin,application/x-msdownload")}
<p class="muted small" id="state" role="status">Nothing has been looked at yet.</p>
<noscript><p>This page needs script. Without it, send a file with curl: <code>POST unpack</code>.</p></noscript></form>
<div id="report" hidden>
<section aria-labelledby="verdict"><div class="card"><h2 class="verdict" id="verdict"></h2><p class="muted" id="reason"></p>
<dl class="facts" id="facts"></dl>
<div class="actions end"><button class="button" id="download" type="button">Download the unpacked file</button>
<button class="button quiet" id="clean" type="button">Clean up on the server</button></div></div></section>
<section aria-labelledby="sections-heading"><h2 id="sections-heading">Sections</h2>
<p class="muted small">Entropy in bits per byte: near 8, bytes are compressed or encrypted; code has about 6.</p>
<div class="card sections" id="sections"></div></section>
<section aria-labelledby="layers-heading"><h2 id="layers-heading">Layers</h2><div class="card"><ol class="timeline" id="layers"></ol></div></section>
<section aria-labelledby="imports-heading"><h2 id="imports-heading">Imports</h2><div class="card" id="imports"></div></section>
<section aria-labelledby="calls-heading"><h2 id="calls-heading">Calls of the system</h2><div class="card">
<label for="call-search">Search calls</label><input id="call-search" type="search" autocomplete="off" spellcheck="false">
<p class="hint" id="calls-count"></p><div class="scroll" tabindex="0" role="region" aria-label="List of calls"><table class="calls"><thead><tr><th scope="col" class="number">After</th><th scope="col">Call</th><th scope="col">Answer</th></tr></thead><tbody id="calls"></tbody></table></div></div></section>
<section aria-labelledby="texts-heading"><h2 id="texts-heading">Texts</h2><div class="card">
<label for="text-search">Search texts</label><input id="text-search" type="search" autocomplete="off" spellcheck="false">
<p class="hint" id="texts-count"></p><div class="scroll" tabindex="0" role="region" aria-label="List of texts"><table class="texts"><thead><tr><th scope="col">Section</th><th scope="col">Text</th><th scope="col">What speaks for it</th></tr></thead><tbody id="texts"></tbody></table></div></div></section>
<section aria-labelledby="rules-heading"><h2 id="rules-heading">Rules</h2><form class="card stack" id="testing">
<div><label for="rule">YARA rules</label><textarea id="rule" spellcheck="false" wrap="off" required></textarea></div>
<label class="choice"><input type="checkbox" id="on-unpacked" checked> Apply them to the unpacked form</label>
<div class="actions end"><button class="button">Apply rules</button></div><div id="matched" role="status"></div></form></section>
</div>`,
});
