/** The first page: what runs, where, how to get in, and what has been asked lately. */
import type { Service } from "#kernel/operation";
import { html, page } from "./html.ts";

const schemeOf = (service: Service): string => {
  const names: Record<string, string> = {
    apiKey: "API key",
    bearer: "OAuth 2.0 bearer",
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

export function overviewPage(services: readonly Service[], origin: string): string {
  const operations = services.reduce((sum, service) => sum + service.operations.length, 0);
  return page(
    "Overview",
    "overview",
    html`<section class="hero">
<h1>${services.length} services, ${operations} operations, one process</h1>
<p>Everything answers at <code>${origin}</code>. State is real: schedules fire, queries are evaluated, credentials are verified.</p>
</section>
<section aria-labelledby="services"><h2 id="services">Services</h2>
<table class="services"><thead><tr><th scope="col">Service</th><th scope="col">Mount</th><th scope="col">Host</th><th scope="col">Credential</th><th scope="col" class="number">Operations</th></tr></thead>
<tbody>${services.map(serviceRow)}</tbody></table></section>
<section aria-labelledby="credentials"><h2 id="credentials">Credentials</h2>
<p>The first start made an account with random secrets, in <code>credentials.json</code> in the data folder. To see them, or to load them into a shell:</p>
<pre tabindex="0"><code>npx medley credentials
eval "$(npx medley credentials --env)"</code></pre></section>
<section aria-labelledby="requests"><h2 id="requests">Recent requests</h2>
<form id="token-form"><label for="token">Bearer token of an admin account</label>
<div class="row"><input id="token" name="token" type="password" autocomplete="off" spellcheck="false" required><button type="submit">Show live</button></div>
<p id="token-status" role="status"></p></form>
<div class="requests" role="region" aria-labelledby="requests" tabindex="0" hidden><table><thead><tr><th scope="col">Time</th><th scope="col">Method</th><th scope="col">Address</th><th scope="col">Operation</th><th scope="col" class="number">Status</th><th scope="col" class="number">ms</th></tr></thead><tbody id="request-rows"></tbody></table></div>
<noscript><p>Without script, ask the interface: <code>curl -H "Authorization: Bearer …" ${origin}/_medley/requests</code></p></noscript></section>`,
  );
}
