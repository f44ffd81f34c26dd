/** Console views of clients. */
import { isoOf } from "#kernel/clock";
import type { ConsoleView } from "#kernel/operation";
import { clientOf } from "./client.ts";
import { listClientRows } from "./store.ts";

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Applications",
    madeBy: "identity.clients.create",
    columns: ["Name", "Client id", "Response types", "Redirect URLs", "Registered"],
    async rows({ db, account }, limit) {
      const clients = (await listClientRows(db, account, limit)).map(clientOf);
      return clients.map(({ clientId, metadata, createdAtMs }) => [
        metadata.name,
        clientId,
        metadata.responseTypes.join(", "),
        metadata.redirectUris.join(" "),
        isoOf(createdAtMs),
      ]);
    },
  },
];
