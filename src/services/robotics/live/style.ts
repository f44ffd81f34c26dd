/** Styles of the live page: large on a hall screen, one column on a phone. */
import { styleWith } from "#kernel/html";

const TOKENS = `
:root{--red:#a01c12;--red-soft:#fce9e6;--red-line:#e5b5ae;--blue:#0b4f96;--blue-soft:#e6effa;--blue-line:#aac6e6}
@media (prefers-color-scheme:dark){:root{--red:#ffb4ab;--red-soft:#41201c;--red-line:#7b3f38;--blue:#a9cbff;--blue-soft:#1a2c45;--blue-line:#39598a}}
`;

const LAYOUT = `
.bar{max-width:110rem;padding-inline:1rem}
.board{width:100%;max-width:110rem;margin:0 auto;padding:.2rem 1rem 1.5rem;flex:1}
.title{display:flex;align-items:baseline;gap:.1rem 1.2rem;flex-wrap:wrap;margin-bottom:.8rem}
.state{font-size:.875rem;font-weight:600;color:var(--muted);display:inline-flex;align-items:center;gap:.5rem}
.state::before{content:"";width:.65rem;height:.65rem;border-radius:50%;background:var(--edge)}
.state[data-state=live]{color:var(--accent)}
.state[data-state=live]::before{background:var(--accent)}
.panels,.play,.pair,.beside{display:grid;gap:.9rem;align-content:start;min-width:0}
section{background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);padding:.9rem 1.1rem;min-width:0}
.panels>.tabs{margin:-.4rem 0 -.5rem}
section h2{margin-bottom:.5rem}
.numbers,table{font-variant-numeric:tabular-nums}
.head{display:grid;gap:.4rem}
.head .what{display:flex;justify-content:space-between;gap:1rem;font-weight:600;align-items:baseline}
.side{display:flex;align-items:center;justify-content:space-between;gap:.8rem;border-radius:var(--small);padding:.3rem .8rem;border:1px solid}
.side ul{display:flex;gap:0 1.1rem;flex-wrap:wrap;font-size:1.6rem;font-weight:650;line-height:1.35}
.side .score{font-size:2rem;font-weight:700;line-height:1.1}
.red{color:var(--red);background:var(--red-soft);border-color:var(--red-line)}
.blue{color:var(--blue);background:var(--blue-soft);border-color:var(--blue-line)}
.side.lost ul,.side.lost .score{font-weight:450}
table{border-collapse:collapse;width:100%}
th,td{padding:.24rem .45rem;text-align:left;vertical-align:baseline}
th{font-size:.8125rem;color:var(--muted);font-weight:600;border-bottom:1px solid var(--line)}
tr+tr>td{border-top:1px solid var(--line)}
td.count,th.count{text-align:right;white-space:nowrap}
td:first-child{white-space:nowrap}
td.rank{font-weight:700;font-size:1.1rem}
td.team{width:100%;max-width:0;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
td.red-side{color:var(--red);font-weight:600}
td.blue-side{color:var(--blue);font-weight:600}
td .won{font-weight:750;text-decoration:underline;text-decoration-thickness:2px;text-underline-offset:.2em}
.tables{display:grid;gap:0 2rem}
.scroll{overflow-x:auto}
.alliances{display:grid;gap:.6rem;grid-template-columns:repeat(auto-fill,minmax(8.6rem,1fr))}
.alliance{border:1px solid var(--line);border-radius:var(--small);padding:.4rem .8rem;background:var(--raised)}
.alliance.champion{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.alliance p{font-size:.8125rem;color:var(--muted);font-weight:600}
.alliance ul{display:flex;gap:0 .6rem;flex-wrap:wrap;font-weight:650;font-size:1.05rem;font-variant-numeric:tabular-nums}
@media (max-width:43.9rem){td.team span{display:none}}
@media (min-width:44rem){td.red-side,td.blue-side,th{white-space:nowrap}}
@media (min-width:60rem){.pair{grid-template-columns:repeat(auto-fit,minmax(20rem,1fr))}.tables{grid-template-columns:repeat(auto-fit,minmax(17rem,1fr))}}
@media (min-width:75rem){.beside{grid-template-columns:minmax(24rem,2fr) minmax(0,4fr)}.panels>.tabs{display:none}}
@media (min-width:95rem){html{font-size:clamp(17px,.98vw,40px)}.board,.bar{max-width:none}.bar{padding-bottom:.4rem}.foot{display:none}}
`;

const DRAWING = `
.bracket svg{display:block;min-width:50rem;width:100%;height:auto}
.bracket text{font-family:inherit;fill:var(--text);font-variant-numeric:tabular-nums}
.bracket .box{fill:var(--raised);stroke:var(--line)}
.bracket .line{fill:none;stroke:var(--edge);stroke-width:1.5}
.bracket .red-mark{fill:var(--red)}
.bracket .blue-mark{fill:var(--blue)}
.bracket .set-name,.bracket .column{fill:var(--muted);font-weight:600}
.bracket .lost{fill:var(--muted)}
.bracket .won{font-weight:700}
`;

export const style = styleWith(TOKENS + LAYOUT + DRAWING);
