/** What only this page needs beside the common look. */
import { styleWith } from "#kernel/html";

export const style = styleWith(`
.column>section{margin-top:1.6rem}
.column>section>h2+*{margin-top:.5rem}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.4rem .6rem;text-align:left;vertical-align:top}
thead th{font-size:.8125rem;color:var(--muted);font-weight:600}
tbody tr{border-top:1px solid var(--line)}
td{overflow-wrap:anywhere}
td p{margin:0}
pre{overflow:auto;max-height:24rem;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8125rem}
`);
