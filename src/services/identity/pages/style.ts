/** Styles of these pages: people, applications, shared data, and the three displays of a request. */
import { styleWith } from "#kernel/html";

const PARTS = `
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
.secret{display:flex;gap:.6rem;align-items:center;background:var(--surface);border:1px solid var(--line);border-radius:var(--small);padding:.55rem .8rem}
.secret code{flex:1;overflow-wrap:anywhere;user-select:all}
.snippet{border:1px solid var(--line);border-radius:var(--small);background:var(--raised);overflow:hidden}
.snippet pre{padding:.95rem 1rem;overflow-x:auto;line-height:1.5;tab-size:2;font-size:.8125rem}
.snippet pre:focus-visible{outline-offset:-3px}
.snippet .copy{float:right;margin:.5rem;background:var(--surface)}
.snippet .copy+pre{clear:right;padding-top:.3rem}
`;

const LAYOUTS = `
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
.editor>*+*{margin-top:1.1rem}
@media (min-width:44rem){
.list .spread{flex-wrap:nowrap}}
@media (min-width:56rem){
.split{max-width:58rem;display:grid;grid-template-columns:minmax(0,5fr) minmax(0,6fr)}
.split aside{padding:2.6rem 2.4rem;border-bottom:0;border-right:1px solid var(--accent-line);display:flex;flex-direction:column;gap:1.5rem}
.split aside .asker{flex-direction:column;align-items:flex-start}
.split aside .asker .name{font-size:1.35rem;letter-spacing:-.012em}
.split aside .initials{width:4rem;height:4rem;font-size:1.4rem;border-radius:16px}
.split .more{display:block}
.split .side{padding:2.6rem 2.4rem}
.editor{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1.1rem;align-items:start}
.editor>*+*{margin-top:0}}
@media (forced-colors:active){.split aside{border-color:CanvasText}}
`;

export const style = styleWith(PARTS + LAYOUTS);
