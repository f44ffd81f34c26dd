/** An application for browser tests: pages on a host of its own that sign in, embed and watch the identity service. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const page = (body: string): string =>
  `<!doctype html><html lang="en"><title>Application</title><body><h1>My application</h1>${body}</body></html>`;
const quoted = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/** `/session` begins a session of the application's own, `/out` ends it; `/answer` takes answers, `/popup` and `/embed` show another address (`to`), `/watch` asks a session iframe. */
function render(url: URL): string {
  const to = url.searchParams.get("to") ?? "";
  switch (url.pathname) {
    case "/session":
      return page('<script>document.cookie = "application_session=1; path=/";</script>');
    case "/out":
      return page('<script>document.cookie = "application_session=; path=/; max-age=0";</script>');
    case "/answer":
      return page('<p id="answer">Back in the application.</p>');
    case "/popup":
      return page(
        `<button id="open">Sign in</button><script>document.getElementById("open").onclick = () => window.open(${JSON.stringify(to)}, "sign-in", "width=420,height=620");</script>`,
      );
    case "/embed":
      return page(
        `<iframe id="frame" title="Sign in" src="${quoted(to)}" style="position:fixed;inset:0;width:100%;height:100%;border:0"></iframe>`,
      );
    case "/watch":
      return page(
        `<iframe id="frame" title="Session" src="${quoted(to)}"></iframe><p id="status">unknown</p><script>
const frame = document.getElementById("frame");
window.addEventListener("message", (event) => { document.getElementById("status").textContent = event.data; });
window.ask = () => frame.contentWindow.postMessage(${JSON.stringify(url.searchParams.get("message") ?? "")}, new URL(frame.src).origin);
</script>`,
      );
    default:
      return page("");
  }
}

export class RelyingParty {
  /** Addresses that were asked for, with their queries. */
  readonly visits: URL[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.visits.push(new URL(request.url ?? "/", "http://localhost"));
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(render(new URL(request.url ?? "/", "http://localhost")));
  });
  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }
  /** A host name that the identity service's own is same-site with, as it is on a developer's machine. */
  get url(): string {
    return `http://localhost:${this.port}`;
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
