/** Styles of the workbench in addition to the common ones. */
import { styleWith } from "#kernel/html";

export const style = styleWith(`
.column>section{margin-top:1.6rem}
.column>section>h2+*{margin-top:.5rem}
.column>section>p+*{margin-top:.7rem}
.said{font-size:1.125rem;line-height:2.2;overflow-wrap:anywhere}
.found{background:var(--accent-soft);border-bottom:2px solid var(--accent);border-radius:var(--small);padding:.15rem .25rem}
.found small{color:var(--muted);margin-left:.3rem}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.45rem .6rem;text-align:left;vertical-align:top}
thead th{font-size:.8125rem;color:var(--muted);font-weight:600}
tbody tr{border-top:1px solid var(--line)}
td{overflow-wrap:anywhere}
.matrix th,.matrix td{text-align:right;padding:.3rem .5rem}
.matrix tbody th{text-align:left;font-weight:400}
.right{font-weight:650;color:var(--accent)}
.wrong{font-weight:650;color:var(--danger)}
`);
