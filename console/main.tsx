/** The console's app: puts its own frame in the place of the server's, as soon as it knows who is signed in. */
import { render } from "preact";
import "virtual:look.css";
import "./style/frame.css";
import "./style/parts.css";
import "./style/widgets.css";
import "./style/documents.css";
import "./style/tables.css";
import "./style/docs.css";
import "./style/requests.css";
import "./style/tools.css";
import "./style/finding.css";
import "./style/charts.css";
import { call, session } from "./api.ts";
import "./pages/server-page.tsx";
import { startRouter } from "./router.ts";
import { loadServices } from "./services.ts";
import { App, loadPage } from "./shell/app.tsx";
import { applyLook, storedLook } from "./shell/look.ts";

async function start(): Promise<void> {
  applyLook(storedLook());
  startRouter();
  // What stands there for those without script would be drawn while the server is asked.
  const place = document.getElementById("app");
  place?.replaceChildren();
  const [known] = await Promise.all([
    call("medley.session.show", {}).catch(() => ({ signedIn: false })),
    loadServices().catch(() => undefined),
    // What could not be loaded is told by the page that takes its place.
    loadPage(location.pathname).catch(() => undefined),
  ]);
  session.set(known);
  if (place) render(<App />, place);
}

void start();
