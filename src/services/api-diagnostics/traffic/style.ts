/** Styles of this page only. The common styles are shared. */
import { styleWith } from "#kernel/html";

export const style = styleWith(`
.column>section{margin-top:1.6rem}
.column>section>h2+*{margin-top:.5rem}
table{width:100%;table-layout:fixed;border-collapse:collapse;font-size:.9375rem}
th:nth-child(1){width:7rem}th:nth-child(2){width:38%}th:nth-child(3){width:4.5rem}th:nth-child(4){width:6rem}
th,td{padding:.4rem .6rem;text-align:left;vertical-align:top}
thead th{font-size:.8125rem;color:var(--muted);font-weight:600}
tbody tr{border-top:1px solid var(--line)}
td{overflow-wrap:anywhere}
td p{margin:0}
pre{overflow:auto;max-height:24rem;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8125rem}
@media (max-width:44rem){thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody{display:block}
tbody tr{display:grid;grid-template-columns:1fr auto auto;padding:.6rem 0}
td{padding:.15rem .3rem}
td:nth-child(2),td:nth-child(5){grid-column:1/-1}
td:nth-child(2){order:1;font-weight:600}
td:nth-child(5){order:2}}
`);
