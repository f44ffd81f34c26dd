/** What only the console needs beside the common look. */
import { styleWith } from "#kernel/html";

const OWN_STYLE = `
.bar{flex-wrap:wrap}
.bar .tabs{margin:0}
.column>section{margin-top:1.8rem}
.column>section>h2{margin-bottom:.7rem}
.lead{max-width:46rem}
.lead+.lead{margin-top:.4rem}
code{background:var(--raised);border:1px solid var(--line);padding:.05em .35em;border-radius:5px;overflow-wrap:anywhere}
pre{background:var(--raised);border:1px solid var(--line);padding:.9rem 1rem;border-radius:var(--small);overflow:auto}
pre code{background:none;border:0;padding:0;font-size:inherit;overflow-wrap:normal}
.panel{background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--shadow);overflow:hidden}
table{width:100%;border-collapse:collapse}
th,td{padding:.65rem .95rem;text-align:left;vertical-align:top}
tbody tr{border-top:1px solid var(--line)}
thead th{font-size:.8125rem;color:var(--muted);font-weight:600}
tbody th{font-weight:600}
td{overflow-wrap:anywhere}
small{display:block;color:var(--muted);font-weight:400;font-size:.86rem}
.number{text-align:right;font-variant-numeric:tabular-nums}
.services td code{white-space:nowrap}
.members{border:1px solid var(--line);border-radius:var(--small);border-collapse:separate;border-spacing:0}
.members th{width:34%}.members tr+tr>*{border-top:1px solid var(--line)}
.members small{display:inline}.members td small+small{display:block}
.required{color:var(--warn);font-size:.75rem;font-weight:600}
.cards{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(18rem,100%),1fr));margin-top:1.4rem}
.cards .card+.card{margin-top:0}
.cards small{display:inline}
.operation{margin-top:.6rem}
.operation>summary{padding:.75rem 1.1rem;margin:0;display:flex;flex-wrap:wrap;gap:.3rem .8rem;align-items:baseline;font-weight:400}
.operation[open]>summary{margin:0}
.operation .summary{color:var(--muted)}
.inside{padding:.9rem 1.1rem 1.2rem;border-top:1px solid var(--line)}
.inside>*+*{margin-top:.5rem}
.inside h3,.opened h3{margin-top:1.1rem;font-size:.8125rem;color:var(--muted)}
.method{font:700 .8rem/1.4 ui-monospace,Menlo,Consolas,monospace;min-width:3.6rem}
.method.get,.method.head,.status-2,.status-3{color:var(--accent)}
.method.post,.method.put,.method.patch,.status-4{color:var(--warn)}
.method.delete,.status-5{color:var(--danger)}
.status-2,.status-3,.status-4,.status-5{font-weight:600}
.answers{list-style:disc;padding-left:1.2rem}
.token .row{align-items:stretch}
.token input{flex:1 1 14rem;width:auto;min-width:0}
#views>h3{margin:1.4rem 0 .5rem}
#views .panel{overflow-x:auto}
#views td{min-width:8rem;font-size:.9375rem}
.drawing{margin:0 0 .9rem;padding:.9rem 1rem}
.drawing figcaption{font-weight:600;margin-bottom:.5rem}
.drawing svg{display:block;max-width:100%;height:auto;color:var(--text);fill:none;stroke:currentColor;stroke-width:1.3}
.drawing text{fill:currentColor;stroke:none;font-size:13px}
.drawing .label{fill:var(--muted);font-size:11px}
.drawing .node{fill:var(--raised);stroke:var(--edge)}
.drawing .lit{fill:var(--accent-soft);stroke:var(--accent);stroke-width:2.2}
.drawing .edge{stroke:var(--edge)}.drawing .head{fill:var(--edge);stroke:none}
.requests{table-layout:fixed}
.live{margin-top:1rem}
.requests .at{width:8rem}.requests .method-column{width:5.2rem}.requests .operation-column{width:14rem}
.requests .status-column{width:4.8rem}.requests .ms-column{width:6rem}
.requests td.wide{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.requests .address{display:block;width:100%;min-width:0;text-align:left;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;
border:0;background:none;padding:0;font:inherit;color:var(--accent);cursor:pointer}
.requests .address:hover{text-decoration:underline;text-underline-offset:.18em}
.requests .address[aria-expanded=true]{white-space:normal;overflow-wrap:anywhere}
.opened td{background:var(--raised)}
.opened pre{background:var(--surface);white-space:pre-wrap;overflow-wrap:anywhere;max-height:24rem;margin-top:.35rem;font-size:.8125rem}
@media (max-width:44rem){
.bar .tabs a{padding:.45rem .6rem}
.members th{width:auto}.members tr+tr>td{border-top:0}
#views td{min-width:0}
.stacking thead{display:none}
.stacking tr{display:block;padding:.55rem 0}
.stacking th,.stacking td{display:block;padding:.15rem .95rem;text-align:left}
.stacking td[data-label]::before{content:attr(data-label)": ";color:var(--muted)}
.services td code{white-space:normal}
.requests .wide{display:none}
.requests th,.requests td{padding:.6rem .7rem}
.requests .method-column{width:4.6rem}.requests .status-column{width:4.2rem}}
`;

export const styleSheet = styleWith(OWN_STYLE);
