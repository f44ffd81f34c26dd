/** All resources of all services: a tree of their kinds, a table of them, and the chosen one beside it. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Answers } from "../../generated/operations.ts";
import { useAnswer } from "../../loading.ts";
import { Empty, Page, Shown, Tag } from "../../parts/basics.tsx";
import { ColumnsMenu, useColumns } from "../../parts/columns-menu.tsx";
import { TextField } from "../../parts/fields.tsx";
import { NothingFits } from "../../parts/nothing-fits.tsx";
import { usePages } from "../../parts/paged.ts";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Seeding } from "../../parts/seeding.tsx";
import { Split } from "../../parts/split.tsx";
import { type Column, titlesOf } from "../../parts/table.tsx";
import { hrefWith, setQuery, useAddress } from "../../router.ts";
import { countText } from "../../texts.ts";
import { wordsOf } from "../../words.ts";
import { ResourceDetail } from "./detail.tsx";

type Resource = Answers["medley.resources.list"]["resources"][number];
const ROWS = 50;
const TYPING_MS = 150;

const shortType = (type: string): string => wordsOf(type.split(/::|\//).at(-1) ?? type);

const Tags = ({ tags }: { readonly tags: Resource["tags"] }): JSX.Element => (
  <span class="tags">
    {Object.entries(tags)
      .slice(0, 3)
      .map(([name, value]) => (
        <Tag key={name}>{value === "" ? name : `${name}=${value}`}</Tag>
      ))}
  </span>
);

const tagsText = ({ tags }: Resource): string =>
  Object.entries(tags)
    .map(([name, value]) => (value === "" ? name : `${name}=${value}`))
    .join(" ");
const columns: readonly Column<Resource>[] = [
  { title: "Name", value: ({ name }) => name, sort: "name" },
  {
    title: "Type",
    value: ({ type }) => type,
    cell: ({ type }) => <span title={type}>{shortType(type)}</span>,
    sort: "type",
  },
  { title: "Tags", value: tagsText, cell: ({ tags }) => <Tags tags={tags} />, isWide: true },
  { title: "Region", value: ({ region }) => region, isWide: true },
  { title: "Changed", value: ({ updatedAt }) => updatedAt, sort: "updated", isWide: true },
  { title: "ARN", value: ({ arn }) => arn, sort: "arn", isWide: true },
];

function Tree({
  service,
  type,
  turn,
}: {
  readonly service: string;
  readonly type: string;
  readonly turn: number;
}): JSX.Element {
  const loaded = useAnswer("medley.resources.tree", {});
  // A turn means that something was changed.
  useEffect(loaded.reload, [turn]);
  const entry = (text: string, count: number, to: { service: string; type: string }) => (
    <a
      href={hrefWith({ ...to, arn: undefined })}
      {...(to.service === service && to.type === type && { "aria-current": "true" as const })}
    >
      <span>{text}</span>
      <small>{countText(count)}</small>
    </a>
  );
  return (
    <nav class="tree" aria-label="Kinds of resources">
      <Shown of={loaded} rows={10}>
        {({ services }) => (
          <ul>
            <li>
              {entry(
                "Everything",
                services.reduce((sum, { count }) => sum + count, 0),
                { service: "", type: "" },
              )}
            </li>
            {services.map(({ name, title, count, types }) => (
              <li key={name}>
                {entry(title, count, { service: name, type: "" })}
                <ul>
                  {types.map((one) => (
                    <li key={one.type}>
                      {entry(shortType(one.type), one.count, { service: name, type: one.type })}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </nav>
  );
}

/** What is typed is asked for at once, then as often as an answer may come. */
function useSlowly(value: string): string {
  const asked = useRef({ value, atMs: -TYPING_MS });
  const [, redraw] = useState({});
  const waitMs = asked.current.atMs + TYPING_MS - performance.now();
  if (value !== asked.current.value && waitMs <= 0) asked.current = { value, atMs: performance.now() };
  useEffect(() => {
    if (value === asked.current.value) return undefined;
    const timer = setTimeout(() => redraw({}), waitMs);
    return () => clearTimeout(timer);
  }, [value]);
  return asked.current.value;
}

function Nothing({
  isFiltered,
  onSeeded,
}: {
  readonly isFiltered: boolean;
  readonly onSeeded: () => void;
}): JSX.Element {
  if (isFiltered) return <NothingFits icon="resources" words={["text", "tag", "service", "type"]} />;
  return (
    <Empty icon="resources" title="No resources yet">
      <p>Make one with any service, or load the demo data.</p>
      <Seeding onSeeded={onSeeded} />
    </Empty>
  );
}

export default function Resources(): JSX.Element {
  const { query } = useAddress();
  const wordOf = (name: string) => query.get(name) ?? "";
  const [turn, setTurn] = useState(0);
  const filter = {
    service: wordOf("service"),
    type: wordOf("type"),
    text: useSlowly(wordOf("text")),
    tag: useSlowly(wordOf("tag")),
  };
  const sort = wordOf("sort") || "arn";
  const paged = usePages(
    "medley.resources.list",
    { ...filter, sort, limit: ROWS },
    ({ resources }) => resources,
  );
  const chosen = query.get("arn") ?? undefined;
  const kept = useColumns("resources", ["ARN"]);
  const refresh = () => {
    paged.reload();
    setTurn((before) => before + 1);
  };
  return (
    <Page
      isFull
      title="Resources"
      actions={<ColumnsMenu title="Resources" columns={titlesOf(columns)} kept={kept} />}
    >
      <div class="filters">
        <TextField
          label="Text"
          isHidden
          type="search"
          placeholder="Name or ARN"
          value={wordOf("text")}
          onInput={(value) => setQuery({ text: value })}
        />
        <TextField
          label="Tag"
          isHidden
          type="search"
          placeholder="Tag, such as stage=test"
          value={wordOf("tag")}
          onInput={(value) => setQuery({ tag: value })}
        />
      </div>
      <Split hasTree detail={chosen && <ResourceDetail key={chosen} arn={chosen} onChange={refresh} />}>
        <Tree service={filter.service} type={filter.type} turn={turn} />
        <PagedTable
          label="Resources"
          paged={paged}
          columns={columns}
          kept={kept}
          keyOf={({ arn }) => arn}
          chosen={chosen}
          onChoose={(arn) => setQuery({ arn })}
          sort={sort}
          onSort={(next) => setQuery({ sort: next })}
          empty={
            <Nothing isFiltered={Object.values(filter).some((value) => value !== "")} onSeeded={refresh} />
          }
        />
      </Split>
    </Page>
  );
}
