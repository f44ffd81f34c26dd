/** Start page before sign-in: running services, addresses, and how to sign in. */

import { html, type Page } from "#kernel/html";
import { anyone, figuresOf, type Service } from "#kernel/operation";
import { renderConsolePage } from "./layout.ts";

const schemeOf = (service: Service): string => {
  if (service.operations.every(({ permission }) => permission === anyone)) return "none";
  const names: Record<string, string> = {
    apiKey: "API key",
    bearer: "OAuth 2.0 bearer",
    oauth: "OAuth 2.0",
    basic: "HTTP Basic",
    sigv4: "Signature V4",
    accessKey: "Access key of its own",
  };
  return names[service.protocol.security?.name ?? ""] ?? service.protocol.security?.name ?? "none";
};

function serviceRow(service: Service) {
  return html`<tr>
<th scope="row"><a href="/console/docs/${service.name}">${service.title}</a><small>${service.summary}</small></th>
<td data-label="Mount"><code>${service.mount}</code></td>
<td data-label="Host"><code>${service.mount.split("/")[1]}.localhost</code></td>
<td data-label="Credential">${schemeOf(service)}</td>
<td data-label="Operations" class="number">${service.operations.length}</td>
</tr>`;
}

const credentials = html`<section aria-labelledby="credentials"><h2 id="credentials">Credentials</h2>
<div class="card stack"><p>The first start made an account with random secrets, in <code>credentials.json</code> in the data folder. To see them, or to load them into a shell:</p>
<pre tabindex="0"><code>npx medley credentials
eval "$(npx medley credentials --env)"</code></pre></div></section>`;

export function overviewPage(services: readonly Service[], origin: string): Page {
  const figures = figuresOf(services);
  return renderConsolePage({
    title: "Overview",
    services,
    heading: `${figures.services}, ${figures.operations}, one process`,
    content: html`<p class="lead muted">Everything answers at <code>${origin}</code>. State is real: schedules fire, queries are evaluated, credentials are verified. Listed as well, but not counted, is what the services share.</p>
<section aria-labelledby="services"><h2 id="services">Services</h2>
<div class="panel"><table class="services stacking"><thead><tr><th scope="col">Service</th><th scope="col">Mount</th><th scope="col">Host</th><th scope="col">Credential</th><th scope="col" class="number">Operations</th></tr></thead>
<tbody>${services.map(serviceRow)}</tbody></table></div></section>
${credentials}`,
  });
}
