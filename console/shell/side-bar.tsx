/** The left bar: tools, and the services that are mounted. */
import type { JSX } from "preact";
import type { SignedIn } from "../api.ts";
import { Icon, type IconName } from "../parts/icons.tsx";
import { useAddress } from "../router.ts";
import { servicePath, useServices } from "../services.ts";
import { tools } from "./tools.ts";

const Entry = ({
  href,
  icon,
  text,
  path,
}: {
  readonly href: string;
  readonly icon?: IconName;
  readonly text: string;
  readonly path: string;
}): JSX.Element => (
  <li>
    <a
      href={href}
      {...((path === href || (href !== "/console" && path.startsWith(`${href}/`))) && {
        "aria-current": path === href ? ("page" as const) : ("true" as const),
      })}
    >
      {icon && <Icon name={icon} />}
      <span>{text}</span>
    </a>
  </li>
);

/** Without a session, services lead to their documentation, which is open to all. */
export function SideBar({
  who,
  isOpen,
  onClose,
}: {
  readonly who: SignedIn | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): JSX.Element {
  const { path } = useAddress();
  const services = useServices();
  const shown = tools.filter((tool) => (who ? who.admin || !tool.isForAdmins : tool.path === "/console"));
  return (
    <>
      <aside class={isOpen ? "side open" : "side"} id="side">
        <nav aria-label="Tools" onClick={onClose}>
          <ul>
            {shown.map((tool) => (
              <Entry key={tool.path} href={tool.path} icon={tool.icon} text={tool.title} path={path} />
            ))}
            <Entry href="/console/docs" icon="docs" text="Documentation" path={path} />
          </ul>
        </nav>
        <nav aria-labelledby="side-services" onClick={onClose}>
          <h2 id="side-services">Services</h2>
          <ul>
            {services.map(({ name, title }) => (
              <Entry key={name} href={servicePath(name, who)} text={title} path={path} />
            ))}
          </ul>
        </nav>
      </aside>
      {isOpen && <button type="button" class="shade" aria-label="Close the menu" onClick={onClose} />}
    </>
  );
}
