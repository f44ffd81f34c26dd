/** The look of all pages: one small style sheet with system fonts, light and dark, from 320 pixels up. */

const tokens = `
:root{color-scheme:light dark;
--ground:#f2f4f1;--surface:#fff;--raised:#f8f9f7;--line:#dde2dc;--edge:#7f8a83;--text:#1b231f;--muted:#55615a;
--accent:#1d6b51;--accent-hover:#155640;--on-accent:#fff;--accent-soft:#e3f0e9;--accent-line:#bcd9cb;
--danger:#a8261c;--danger-hover:#8a1d14;--on-danger:#fff;--danger-soft:#fcebe9;--danger-line:#f0c6c1;
--warn-soft:#fdf3dc;--warn-line:#ecd9a8;--warn:#6b4e00;
--shade:rgba(19,30,25,.5);--shadow:0 1px 2px rgba(20,35,28,.06),0 10px 30px rgba(20,35,28,.07);
--radius:14px;--small:9px}
@media (prefers-color-scheme:dark){:root{
--ground:#111513;--surface:#191f1c;--raised:#1f2622;--line:#2d3631;--edge:#76847c;--text:#e8ede9;--muted:#a3b0a8;
--accent:#7dcfac;--accent-hover:#9adfc0;--on-accent:#06281a;--accent-soft:#1b3329;--accent-line:#2c5442;
--danger:#ffb3aa;--danger-hover:#ffcbc5;--on-danger:#4a0b06;--danger-soft:#3a1d1a;--danger-line:#6a322c;
--warn-soft:#332a12;--warn-line:#5d4c1e;--warn:#f0d48a;
--shade:rgba(0,0,0,.6);--shadow:0 1px 2px rgba(0,0,0,.3),0 12px 34px rgba(0,0,0,.35)}}
`;

const basics = `
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
.stack>input[type=hidden]+*{margin-top:0}
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

const controls = `
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

const parts = `
.mark{width:1.6rem;height:1.6rem;flex:none;color:var(--accent)}
.brand{display:inline-flex;align-items:center;gap:.55rem;font-weight:650;color:var(--text);text-decoration:none;letter-spacing:-.01em}
.initials{display:inline-flex;align-items:center;justify-content:center;width:3.25rem;height:3.25rem;flex:none;border-radius:13px;
font-weight:650;font-size:1.15rem;letter-spacing:.01em}
.initials.round{border-radius:50%}
.initials.little{width:2.4rem;height:2.4rem;font-size:.875rem;border-radius:10px}
.initials.little.round{border-radius:50%}
.hue-0{background:#dcefe5;color:#14523c}.hue-1{background:#e0eafa;color:#1d4480}.hue-2{background:#f6e6d6;color:#71420f}
.hue-3{background:#eee3f6;color:#5a2f7a}.hue-4{background:#fae1e4;color:#872638}.hue-5{background:#e7ecd3;color:#4a5310}
@media (prefers-color-scheme:dark){
.hue-0{background:#1d3d30;color:#a8e3c9}.hue-1{background:#1f3354;color:#b7d1fb}.hue-2{background:#503c25;color:#f6d9b4}
.hue-3{background:#3a2750;color:#dcc1f5}.hue-4{background:#4c2029;color:#f9bcc5}.hue-5{background:#363c17;color:#d9e2a0}}
.card{background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);padding:1.35rem;box-shadow:var(--shadow)}
.card+.card{margin-top:1.1rem}
.scopes{border:1px solid var(--line);border-radius:var(--small);background:var(--raised);overflow:hidden}
.scopes li{display:flex;gap:.8rem;padding:.75rem .95rem;align-items:flex-start}
.scopes li+li{border-top:1px solid var(--line)}
.scopes svg{width:1.2rem;height:1.2rem;flex:none;margin-top:.16rem;color:var(--accent)}
.scopes strong{display:block;font-weight:600}
.scopes span{display:block;color:var(--muted);font-size:.875rem;overflow-wrap:anywhere}
.person{display:flex;align-items:center;gap:.75rem;min-width:0}
.person>div{min-width:0}
.person strong{display:block;font-weight:600;overflow-wrap:anywhere}
.person span span,.person .muted{font-size:.875rem;overflow-wrap:anywhere}
.list li{padding:1rem 0}
.list li+li{border-top:1px solid var(--line)}
.list li:first-child{padding-top:.2rem}.list li:last-child{padding-bottom:.2rem}
.list .person{align-items:flex-start}
.list a.person{color:inherit;text-decoration:none}
.list a.person:hover strong{text-decoration:underline;text-underline-offset:.18em}
.tag{display:inline-block;font-size:.75rem;font-weight:600;padding:.12rem .5rem;border-radius:99px;background:var(--accent-soft);
color:var(--accent);border:1px solid var(--accent-line);vertical-align:.08em}
.tag.warn{background:var(--warn-soft);color:var(--warn);border-color:var(--warn-line)}
details>summary{cursor:pointer;font-weight:600;padding:.35rem 0}
details[open]>summary{margin-bottom:.9rem}
.facts{display:grid;gap:.15rem .9rem;grid-template-columns:1fr}
.facts dt{font-size:.8125rem;font-weight:600;color:var(--muted);margin-top:.6rem}
.facts dd{overflow-wrap:anywhere}
.secret{display:flex;gap:.6rem;align-items:center;background:var(--surface);border:1px solid var(--line);border-radius:var(--small);padding:.55rem .8rem}
.secret code{flex:1;overflow-wrap:anywhere;user-select:all}
.snippet{border:1px solid var(--line);border-radius:var(--small);background:var(--raised);overflow:hidden}
.snippet pre{padding:.95rem 1rem;overflow-x:auto;line-height:1.5;tab-size:2;font-size:.8125rem}
.snippet pre:focus-visible{outline-offset:-3px}
.snippet .copy{float:right;margin:.5rem;background:var(--surface)}
.snippet .copy+pre{clear:right;padding-top:.3rem}
`;

const layouts = `
.bar{display:flex;align-items:center;justify-content:space-between;gap:1rem;padding:1rem 1.15rem;width:100%;max-width:66rem;margin:0 auto}
.foot{padding:1.2rem 1.15rem 1.6rem;text-align:center;color:var(--muted);font-size:.8125rem}
.middle{flex:1;display:flex;align-items:flex-start;justify-content:center;padding:.4rem 1rem 1rem}
.sheet{width:100%;max-width:27rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--shadow);padding:1.6rem 1.35rem}
.split{width:100%;max-width:27rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--shadow);overflow:hidden}
.split aside{background:var(--accent-soft);padding:1.15rem 1.35rem;border-bottom:1px solid var(--accent-line)}
.split .side{padding:1.5rem 1.35rem 1.6rem}
.asker{display:flex;gap:.9rem;align-items:center;min-width:0}
.asker>div{min-width:0}
.asker .name{font-weight:650;font-size:1.05rem;overflow-wrap:anywhere;line-height:1.3}
.more{display:none}
.display-popup{background:var(--surface)}
.compact{flex:1;display:flex;flex-direction:column;width:100%;max-width:30rem;margin:0 auto}
.compact .top{display:flex;gap:.7rem;align-items:center;padding:.8rem 1.1rem;border-bottom:1px solid var(--line);font-size:.9rem}
.compact .top .name{font-weight:600;overflow-wrap:anywhere}
.compact .side{flex:1;display:flex;flex-direction:column;padding:1.1rem 1.1rem 0}
.compact h1{font-size:1.25rem}
.compact form.last{flex:1;display:flex;flex-direction:column}
.compact .scopes{border-width:1px 0;border-radius:0;margin-inline:-1.1rem}
.compact .scopes li{padding:.6rem 1.1rem}
.compact form .settle{position:sticky;bottom:0;margin:auto -1.1rem 0;padding:.85rem 1.1rem;background:var(--surface);border-top:1px solid var(--line)}
.compact .settle+*{padding-bottom:1rem}
.display-modal{background:linear-gradient(150deg,var(--accent-soft),var(--ground) 60%)}
.display-modal.framed{background:transparent}
:root:has(.framed){color-scheme:normal}
.shade{position:fixed;inset:0;background:var(--shade)}
.over{flex:1;display:flex;padding:.75rem 0}
.dialog{position:relative;margin:auto;width:calc(100% - 1.5rem);max-width:25rem;background:var(--surface);border-radius:20px;
box-shadow:0 24px 70px rgba(0,0,0,.35);padding:1.5rem 1.4rem 1.4rem;border:1px solid var(--line)}
.dialog .close{position:absolute;top:.7rem;right:.7rem}
.dialog .close .button{width:2.6rem;min-height:2.6rem;padding:0;border-radius:50%;border-color:transparent;background:transparent;color:var(--muted)}
.dialog .close .button:hover{background:var(--raised);color:var(--text)}
.dialog .close svg{width:1.1rem;height:1.1rem}
.dialog .crest{text-align:center;padding:0 2rem}
.dialog .crest .initials{margin-bottom:.6rem}
.dialog .crest h1{font-size:1.3rem}
.dialog .scopes{border:0;background:none}
.dialog .scopes li{padding:.35rem 0;border:0}
.dialog .scopes span{display:none}
.dialog .scopes strong{font-weight:450}
.dialog .actions{flex-direction:column}
.dialog .actions .button,.dialog .actions.even .button{flex:none;width:100%}
.tabs{display:flex;gap:.35rem;overflow-x:auto;padding:.2rem 0;margin-bottom:1.1rem}
.tabs a{padding:.5rem .85rem;border-radius:99px;text-decoration:none;color:var(--muted);font-weight:600;font-size:.9375rem;white-space:nowrap}
.tabs a:hover{background:var(--raised);color:var(--text)}
.tabs a[aria-current=page]{background:var(--surface);color:var(--accent);box-shadow:inset 0 0 0 1px var(--line)}
.column{width:100%;max-width:44rem;margin:0 auto;padding:.4rem 1rem 2rem;flex:1}
.column.broad{max-width:66rem}
.column>h1{margin:.4rem 0 1.1rem}
.column>.said:not(:empty){margin-bottom:1.1rem}
.column>.back{margin-top:1.1rem}
.editor>*+*{margin-top:1.1rem}
@media (min-width:44rem){
.fields.two{grid-template-columns:1fr 1fr}
.fields.two>.full{grid-column:1/-1}
.card{padding:1.7rem 1.8rem}
.list .spread{flex-wrap:nowrap}
.facts{grid-template-columns:11rem 1fr}
.facts dt{margin-top:0;font-size:.9rem;padding:.3rem 0}.facts dd{padding:.3rem 0}
.sheet{padding:2.2rem 2.2rem 2rem}
.foot{padding-bottom:2rem}}
@media (min-width:56rem){
h1{font-size:1.75rem}
.middle{align-items:center}
.split{max-width:58rem;display:grid;grid-template-columns:minmax(0,5fr) minmax(0,6fr)}
.split aside{padding:2.6rem 2.4rem;border-bottom:0;border-right:1px solid var(--accent-line);display:flex;flex-direction:column;gap:1.5rem}
.split aside .asker{flex-direction:column;align-items:flex-start}
.split aside .asker .name{font-size:1.35rem;letter-spacing:-.012em}
.split aside .initials{width:4rem;height:4rem;font-size:1.4rem;border-radius:16px}
.split .more{display:block}
.split .side{padding:2.6rem 2.4rem}
.editor{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1.1rem;align-items:start}
.editor>*+*{margin-top:0}}
@media (forced-colors:active){.button{border-color:ButtonText}.split aside,.sheet,.card{border-color:CanvasText}}
`;

export const style = [tokens, basics, controls, parts, layouts].join("").replace(/\n+/g, "\n").trim();
