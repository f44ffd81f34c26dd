/** The admin interface over HTTP. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../support/medley.ts";

onBothDatabases("the admin interface", (instance) => {
  it("says that it is alive and ready without a credential", async () => {
    expect((await instance().send("GET", "/_medley/health")).body).toEqual({ status: "ok" });
    expect((await instance().send("GET", "/_medley/ready")).status).toBe(200);
  });
  it("is closed to accounts that are not admin", async () => {
    expect((await instance().bearer("GET", "/_medley/jobs", { as: "second" })).status).toBe(403);
    expect((await instance().bearer("GET", "/_medley/jobs", { as: null })).status).toBe(401);
  });
});
