/** A tool of a service: the service's own page, inside the console. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Empty, Page } from "../parts/basics.tsx";
import { useAddress } from "../router.ts";
import { findTool, useServices } from "../services.ts";

export default function ToolPage(): JSX.Element {
  const { path } = useAddress();
  const found = findTool(useServices(), path);
  useEffect(() => {
    if (found) document.title = `${found.page.title} · Medley`;
  }, [found?.page.title]);
  if (!found)
    return (
      <Empty icon="search" title="There is no such tool">
        <p>
          <a href="/console">To the overview</a>
        </p>
      </Empty>
    );
  const { service, page } = found;
  const address = service.mount + page.path;
  return (
    <Page
      isFull
      title={page.title}
      lead={page.summary}
      actions={
        <>
          <a class="button quiet" href={`/console/services/${service.name}`}>
            {service.title}
          </a>
          <a class="button quiet" href={address}>
            Open it alone
          </a>
        </>
      }
    >
      <iframe class="tool" title={page.title} src={address} />
    </Page>
  );
}
