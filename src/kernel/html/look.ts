/** The style of all pages: one small style sheet with system fonts, light and dark, from 320 pixels up. */

/** Used twice in the sheet: for readers whose system is dark, and for readers who chose dark. */
const DARK = `--ground:#111513;--surface:#191f1c;--raised:#1f2622;--line:#2d3631;--edge:#76847c;--text:#e8ede9;--muted:#a3b0a8;
--accent:#7dcfac;--accent-hover:#9adfc0;--on-accent:#06281a;--accent-soft:#1b3329;--accent-line:#2c5442;
--danger:#ffb3aa;--danger-hover:#ffcbc5;--on-danger:#4a0b06;--danger-soft:#3a1d1a;--danger-line:#6a322c;
--warn-soft:#332a12;--warn-line:#5d4c1e;--warn:#f0d48a;
--shade:rgba(0,0,0,.6);--shadow:0 1px 2px rgba(0,0,0,.3),0 12px 34px rgba(0,0,0,.35)`;

const TOKENS = `
:root{color-scheme:light dark;
--ground:#f2f4f1;--surface:#fff;--raised:#f8f9f7;--line:#dde2dc;--edge:#7f8a83;--text:#1b231f;--muted:#55615a;
--accent:#1d6b51;--accent-hover:#155640;--on-accent:#fff;--accent-soft:#e3f0e9;--accent-line:#bcd9cb;
--danger:#a8261c;--danger-hover:#8a1d14;--on-danger:#fff;--danger-soft:#fcebe9;--danger-line:#f0c6c1;
--warn-soft:#fdf3dc;--warn-line:#ecd9a8;--warn:#6b4e00;
--shade:rgba(19,30,25,.5);--shadow:0 1px 2px rgba(20,35,28,.06),0 10px 30px rgba(20,35,28,.07);
--radius:14px;--small:9px}
@media (prefers-color-scheme:dark){:root:not([data-look=light]){${DARK}}}
:root[data-look=dark]{color-scheme:dark;${DARK}}
:root[data-look=light]{color-scheme:light}
`;

const BASICS = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;background:var(--ground);color:var(--text);
font:400 1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;
display:flex;flex-direction:column}
h1,h2,h3,p,ul,ol,dl,dd,figure,pre,fieldset{margin:0;padding:0}
h1{font-size:1.6rem;line-height:1.22;font-weight:650;letter-spacing:-.018em;text-wrap:balance}
h2{font-size:1.14rem;line-height:1.3;font-weight:650;letter-spacing:-.008em}
h3{font-size:1rem;font-weight:600}
ul{list-style:none}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:1px}
a:hover{color:var(--accent-hover);text-decoration-thickness:2px}
code,pre,.mono{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.875em}
.muted{color:var(--muted)}
.small{font-size:.875rem}
.break{overflow-wrap:anywhere}
.stack>*+*{margin-top:1.1rem}
.stack>input[type=hidden]+*,.stack>[hidden]:first-child+*{margin-top:0}
.tight>*+*{margin-top:.35rem}
.row{display:flex;gap:.75rem;align-items:center;flex-wrap:wrap}
.spread{display:flex;gap:1rem;align-items:flex-start;justify-content:space-between;flex-wrap:wrap}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:1rem;top:-4rem;background:var(--surface);color:var(--text);padding:.6rem 1rem;
border-radius:var(--small);z-index:10}
.skip:focus{top:1rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (prefers-reduced-motion:no-preference){a,.button,input,select,textarea,summary{transition:background-color .12s,border-color .12s,color .12s}}
`;

const CONTROLS = `
label,legend,.label{display:block;font-weight:600;font-size:.9375rem;margin-bottom:.35rem}
.optional{font-weight:400;color:var(--muted);font-size:.8125rem;margin-left:.35em}
input,select,textarea{width:100%;min-height:2.9rem;padding:.6rem .8rem;font:inherit;color:var(--text);
background:var(--surface);border:1px solid var(--edge);border-radius:var(--small)}
textarea{min-height:5.5rem;resize:vertical;line-height:1.5}
input:hover,select:hover,textarea:hover{border-color:var(--text)}
input:focus-visible,select:focus-visible,textarea:focus-visible{outline:2px solid var(--accent);outline-offset:0;border-color:var(--accent)}
input[aria-invalid=true],textarea[aria-invalid=true]{border-color:var(--danger);box-shadow:inset 0 0 0 1px var(--danger)}
input[type=checkbox],input[type=radio]{width:1.15rem;height:1.15rem;min-height:0;margin:.2rem 0 0;accent-color:var(--accent);flex:none}
.choice{display:flex;gap:.65rem;align-items:flex-start;font-weight:400}
fieldset{border:0;min-width:0}
legend{padding:0}
.hint{font-size:.85rem;color:var(--muted);margin-top:.3rem}
.problem{font-size:.875rem;color:var(--danger);margin-top:.3rem;font-weight:550}
.fields{display:grid;gap:1.1rem}
.fields.two{grid-template-columns:1fr}
.label-row{display:flex;justify-content:space-between;align-items:baseline;gap:1rem;flex-wrap:wrap}
.label-row label{margin-bottom:.35rem}
.button{display:inline-flex;align-items:center;justify-content:center;gap:.5rem;min-height:2.9rem;padding:.55rem 1.15rem;
font:inherit;font-weight:600;line-height:1.2;text-decoration:none;text-align:center;cursor:pointer;border-radius:var(--small);
border:1px solid transparent;background:var(--accent);color:var(--on-accent)}
.button:hover{background:var(--accent-hover);color:var(--on-accent)}
.button.quiet{background:transparent;border-color:var(--edge);color:var(--text)}
.button.quiet:hover{background:var(--raised);border-color:var(--text)}
.button.danger{background:transparent;border-color:var(--danger);color:var(--danger)}
.button.danger:hover{background:var(--danger);color:var(--on-danger)}
.button .mark{color:inherit;width:1.25rem;height:1.25rem}
.button.slim{min-height:2.3rem;padding:.3rem .85rem;font-size:.9rem}
.button.wide{width:100%}
.button[disabled]{opacity:.6;cursor:default}
.link-button{border:0;background:none;padding:.25rem 0;min-height:0;font:inherit;color:var(--accent);text-decoration:underline;
text-underline-offset:.18em;cursor:pointer}
.link-button.small{font-size:.875rem}
.actions{display:flex;gap:.75rem;flex-wrap:wrap}
.actions .button{flex:1 1 auto}
.actions.even .button{flex:1 1 0}
.actions.end{justify-content:flex-start}
.actions.end .button{flex:0 1 auto}
.or{display:flex;align-items:center;gap:.9rem;color:var(--muted);font-size:.85rem}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
.notice{border:1px solid var(--accent-line);background:var(--accent-soft);border-radius:var(--small);padding:.75rem .95rem;font-size:.9375rem}
.notice.bad{border-color:var(--danger-line);background:var(--danger-soft)}
.notice.bad strong{color:var(--danger)}
.notice.warn{border-color:var(--warn-line);background:var(--warn-soft);color:var(--warn)}
[hidden]{display:none!important}
`;

const PARTS = `
.mark{width:1.6rem;height:1.6rem;flex:none;color:var(--accent)}
.brand{display:inline-flex;align-items:center;gap:.55rem;font-weight:650;color:var(--text);text-decoration:none;letter-spacing:-.01em}
.card{background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);padding:1.35rem;box-shadow:var(--shadow)}
.card+.card{margin-top:1.1rem}
.tag{display:inline-block;font-size:.75rem;font-weight:600;padding:.12rem .5rem;border-radius:99px;background:var(--accent-soft);
color:var(--accent);border:1px solid var(--accent-line);vertical-align:.08em}
.tag.warn{background:var(--warn-soft);color:var(--warn);border-color:var(--warn-line)}
details>summary{cursor:pointer;font-weight:600;padding:.35rem 0}
details[open]>summary{margin-bottom:.9rem}
.facts{display:grid;gap:.15rem .9rem;grid-template-columns:1fr}
.facts dt{font-size:.8125rem;font-weight:600;color:var(--muted);margin-top:.6rem}
.facts dd{overflow-wrap:anywhere}
`;

const LAYOUTS = `
.bar{display:flex;align-items:center;justify-content:space-between;gap:1rem;padding:1rem 1.15rem;width:100%;max-width:66rem;margin:0 auto}
.foot{padding:1.2rem 1.15rem 1.6rem;text-align:center;color:var(--muted);font-size:.8125rem}
.middle{flex:1;display:flex;align-items:flex-start;justify-content:center;padding:.4rem 1rem 1rem}
.sheet{width:100%;max-width:27rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--shadow);padding:1.6rem 1.35rem}
.tabs{display:flex;gap:.35rem;overflow-x:auto;padding:.2rem 0;margin-bottom:1.1rem}
.tabs a{padding:.5rem .85rem;border-radius:99px;text-decoration:none;color:var(--muted);font-weight:600;font-size:.9375rem;white-space:nowrap}
.tabs a:hover{background:var(--raised);color:var(--text)}
.tabs a[aria-current=page]{background:var(--surface);color:var(--accent);box-shadow:inset 0 0 0 1px var(--line)}
.column{width:100%;max-width:44rem;margin:0 auto;padding:.4rem 1rem 2rem;flex:1}
.column.broad{max-width:66rem}
.column>h1{margin:.4rem 0 1.1rem}
.column>.said:not(:empty){margin-bottom:1.1rem}
.column>.back{margin-top:1.1rem}
@media (min-width:44rem){
.fields.two{grid-template-columns:1fr 1fr}
.fields.two>.full{grid-column:1/-1}
.card{padding:1.7rem 1.8rem}
.facts{grid-template-columns:11rem 1fr}
.facts dt{margin-top:0;font-size:.9rem;padding:.3rem 0}.facts dd{padding:.3rem 0}
.sheet{padding:2.2rem 2.2rem 2rem}
.foot{padding-bottom:2rem}}
@media (min-width:56rem){
h1{font-size:1.75rem}
.middle{align-items:center}}
@media (forced-colors:active){.button{border-color:ButtonText}.sheet,.card{border-color:CanvasText}}
`;

/** For tools: file fields; without a head inside the console, and without what its session makes superfluous. */
export const TOOL_STYLE = `
.by-console #credential-field,.by-console #opening-button{display:none}
.by-console #credential-field+#opening-button+*{margin-top:0}
.drop{display:flex;flex-direction:column;align-items:center;gap:.6rem;padding:1.6rem 1rem;text-align:center;font-weight:500;
border:2px dashed var(--edge);border-radius:var(--radius)}
.drop.over{border-color:var(--accent);background:var(--accent-soft)}
.file-button{position:relative;margin:0;font-size:1rem}
.file-button:focus-within{outline:3px solid var(--accent);outline-offset:2px}
.framed{font-size:87.5%}
.framed body{min-height:0}
.framed .bar,.framed .column>h1{display:none}
.framed .column{max-width:none;padding:0 0 1rem}
.framed .card{box-shadow:none}
.framed .foot,html:not(.framed) .framed-foot{display:none}
.framed-foot{margin-bottom:.9rem;color:var(--muted);font-size:.8125rem}
`;

/** The styles of a part come after the common ones. */
export const styleWith = (own: string): string =>
  [TOKENS, BASICS, CONTROLS, PARTS, LAYOUTS, own].join("").replace(/\n+/g, "\n").trim();
