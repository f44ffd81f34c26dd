/** Migrations use SQLite's types. On PostgreSQL this plugin replaces each by its equivalent. */
import {
  type DataTypeNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  type UnknownRow,
} from "kysely";

/** Text compares by bytes, so that keyset pages are the same on both databases. */
const TWIN: Record<string, string> = {
  text: 'text collate "C"',
  integer: "bigint",
  blob: "bytea",
  real: "double precision",
};

class ColumnTypes extends OperationNodeTransformer {
  protected override transformDataType(node: DataTypeNode): DataTypeNode {
    // The compiler writes raw text wherever a node may be, which its types do not say.
    const twin = TWIN[node.dataType];
    return twin === undefined ? node : (RawNode.createWithSql(twin) as unknown as DataTypeNode);
  }
}

export class PortableTypes implements KyselyPlugin {
  readonly #transformer = new ColumnTypes();
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(node);
  }
  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}
