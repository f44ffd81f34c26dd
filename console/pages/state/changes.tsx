/** What a reset, an import or a snapshot would change, service by service, before anything is changed. */
import type { JSX } from "preact";
import type { Answers } from "../../generated/operations.ts";
import type { Loaded } from "../../loading.ts";
import { Shown } from "../../parts/basics.tsx";
import { useServices } from "../../services.ts";
import { countText } from "../../texts.ts";
import { capitalized } from "../../words.ts";

export type Changes = Answers["medley.state.preview-reset"];

const differenceText = (now: number, later: number): string =>
  later === now ? "unchanged" : `${later > now ? "+" : "−"}${countText(Math.abs(later - now))}`;

export function ChangeTable({ changes }: { readonly changes: Changes }): JSX.Element {
  const titles = new Map(useServices().map(({ name, title }) => [name, title]));
  const rows = changes.services.filter(({ now, later }) => now > 0 || later > 0);
  if (rows.length === 0) return <p class="muted">Nothing would change: there are no rows.</p>;
  return (
    <div class="panel scroller changes" tabIndex={0} role="region" aria-label="What would change">
      <table>
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col" class="number">
              Rows now
            </th>
            <th scope="col" class="number wide">
              Then
            </th>
            <th scope="col" class="number">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ service, now, later }) => (
            <tr key={service}>
              <th scope="row">{titles.get(service) ?? capitalized(service)}</th>
              <td class="number">{countText(now)}</td>
              <td class="number wide">{countText(later)}</td>
              <td class="number">{differenceText(now, later)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export const LoadedChanges = ({ of }: { readonly of: Loaded<Changes> }): JSX.Element => (
  <Shown of={of}>{(changes) => <ChangeTable changes={changes} />}</Shown>
);
