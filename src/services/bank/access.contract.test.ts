/** Authentication, users, accounts, shares, pictures, applications and notifications, on both databases. */
import { verify } from "node:crypto";
import { createServer } from "node:http";
import { expect, it } from "vitest";
import { newPerson } from "../../../tests/support/bank-people.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

/** The smallest picture there is. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

onBothDatabases(
  "bank access",
  (instance) => {
    const plain = (method: string, path: string, options = {}) =>
      instance().apiKey("X-Vendor-Client-Authentication", method, `/bank/v1${path}`, options);
    const upload = (path: string) =>
      plain("POST", path, {
        body: PICTURE,
        headers: {
          "content-type": "image/png",
          "X-Vendor-Attachment-Description": "A dot",
        },
      });

    it("keeps pictures, private and public, and makes avatars of them", async () => {
      const [user] = (await plain("GET", "/user")).body;
      const [ledger] = (await plain("GET", `/user/${user.id}/monetary-account`)).body;
      const own = await upload(`/user/${user.id}/monetary-account/${ledger.id}/attachment`);
      expect(own.status).toBe(200);
      const { body } = await plain("GET", `/user/${user.id}/attachment/${own.body.id}`);
      expect(body.attachment).toMatchObject({ description: "A dot", content_type: "image/png" });
      for (const path of [
        `/user/${user.id}/attachment/${own.body.id}/content`,
        `/user/${user.id}/monetary-account/${ledger.id}/attachment/${own.body.id}/content`,
        `/user/${user.id}/chat-conversation/${user.id}/attachment/${own.body.id}/content`,
      ])
        expect((await plain("GET", path)).bytes).toEqual(PICTURE);
      const { Id, Uuid } = (await upload("/attachment-public")).body;
      for (const name of [Id.id, Uuid.uuid])
        expect((await plain("GET", `/attachment-public/${name}`)).body.uuid).toBe(Uuid.uuid);
      expect((await plain("GET", `/attachment-public/${Uuid.uuid}/content`)).bytes).toEqual(PICTURE);
      expect((await plain("GET", `/attachment-public/${own.body.id}`)).status).toBe(404);
      const image = [{ attachment_public_uuid: Uuid.uuid }];
      const { body: made } = await plain("POST", "/avatar", { body: { image } });
      expect((await plain("GET", `/avatar/${made.uuid}`)).body.image[0]).toMatchObject({
        width: 1,
        height: 1,
      });
      expect((await plain("POST", "/attachment-public", { body: Buffer.from("no") })).status).toBe(400);
    });

    it("opens, shares, blocks and closes accounts of every kind", async () => {
      const owner = await newPerson(instance);
      const other = await newPerson(instance);
      for (const kind of ["bank", "savings", "joint", "external", "external-savings"]) {
        const path = `${owner.user}/monetary-account-${kind}`;
        const id = await owner.made(path, { currency: "EUR", description: kind });
        expect((await owner.done("GET", `${path}/${id}`)).kind).toBe(kind);
        expect((await owner.done("GET", path)).length).toBeGreaterThan(0);
        await owner.done("PUT", `${path}/${id}`, { description: "renamed" });
        await owner.refused("PUT", `${path}/${id}`, { status: "CANCELLED" });
        await owner.done("PUT", `${path}/${id}`, { status: "CANCELLED", sub_status: "REDEMPTION_VOLUNTARY" });
      }
      expect(await owner.done("GET", `${owner.user}/monetary-account-card`)).toEqual([]);
      await owner.refused("GET", `${owner.user}/monetary-account-card/${owner.ledgerId}`, undefined, 404);
      await owner.refused("PUT", `${owner.user}/monetary-account-card/${owner.ledgerId}`, {}, 404);
      const inquiries = `${owner.ledger}/share-invite-monetary-account-inquiry`;
      const id = await owner.made(inquiries, {
        counter_user_alias: { type: "IBAN", value: other.iban },
        access_type: "VIEW_BALANCE",
      });
      const responses = `${other.user}/share-invite-monetary-account-response`;
      expect(await other.done("GET", responses)).toMatchObject([{ id, status: "PENDING" }]);
      const shared = `/user/${other.userId}/monetary-account/${owner.ledgerId}`;
      await other.refused("GET", shared, undefined, 404);
      await other.done("PUT", `${responses}/${id}`, { status: "ACCEPTED" });
      expect((await other.done("GET", shared)).balance.value).toBe("500.00");
      await other.refused("GET", `${shared}/payment`, undefined, 404);
      await owner.done("PUT", `${inquiries}/${id}`, { access_type: "FULL_TRANSIENT" });
      const payment = {
        amount: { value: "1.00", currency: "EUR" },
        counterparty_alias: { type: "IBAN", value: other.iban },
        description: "Lunch",
      };
      await other.done("POST", `${shared}/payment`, payment);
      expect((await owner.done("GET", inquiries))[0].access_type).toBe("FULL_TRANSIENT");
      await owner.done("PUT", `${inquiries}/${id}`, { status: "REVOKED" });
      expect((await owner.done("GET", `${inquiries}/${id}`)).status).toBe("REVOKED");
      expect((await other.done("GET", `${responses}/${id}`)).status).toBe("REVOKED");
      await other.refused("POST", `${shared}/payment`, payment, 404);
    });

    it("lets those whom an account is shared with do what their rights say, and no more", async () => {
      const owner = await newPerson(instance);
      const other = await newPerson(instance);
      const inquiries = `${owner.ledger}/share-invite-monetary-account-inquiry`;
      const id = await owner.made(inquiries, {
        counter_user_alias: { type: "IBAN", value: other.iban },
        access_type: "VIEW_BALANCE",
      });
      await other.done("PUT", `${other.user}/share-invite-monetary-account-response/${id}`, {
        status: "ACCEPTED",
      });
      const shared = `${other.user}/monetary-account/${owner.ledgerId}`;
      const entry = {
        amount: { value: "1.00", currency: "EUR" },
        counterparty_alias: { type: "IBAN", value: other.iban },
        description: "Lunch",
      };
      const draft = { entries: [entry], number_of_required_accepts: 1 };
      const accept = async () => {
        const one = await owner.made(`${owner.ledger}/draft-payment`, draft);
        return other.send("PUT", `${shared}/draft-payment/${one}`, { body: { status: "ACCEPTED" } });
      };
      const actions = {
        balance: () => other.send("GET", shared),
        history: () => other.send("GET", `${shared}/payment`),
        propose: () => other.send("POST", `${shared}/draft-payment`, { body: draft }),
        accept,
        pay: () => other.send("POST", `${shared}/payment`, { body: entry }),
        close: () => other.send("PUT", `${other.user}/monetary-account-bank/${owner.ledgerId}`, { body: {} }),
        invite: () => other.send("GET", `${shared}/share-invite-monetary-account-inquiry`),
      };
      for (const [access_type, allowed] of [
        ["VIEW_BALANCE", ["balance"]],
        ["VIEW_TRANSACTION", ["balance", "history"]],
        ["DRAFT_PAYMENT", ["balance", "history", "propose"]],
        ["FULL_TRANSIENT", ["balance", "history", "propose", "accept", "pay"]],
      ] as const) {
        await owner.done("PUT", `${inquiries}/${id}`, { access_type });
        const can = [];
        for (const [name, act] of Object.entries(actions)) if ((await act()).status === 200) can.push(name);
        expect([access_type, can]).toEqual([access_type, allowed]);
      }
      expect(await owner.balance()).toBe("498.00");
      await owner.done("PUT", `${inquiries}/${id}`, { status: "REVOKED" });
      expect(await owner.refused("PUT", `${inquiries}/${id}`, { access_type: "VIEW_BALANCE" })).toMatch(
        "cannot be changed",
      );
    });

    it("lets users say who they are, found companies, and know their limits", async () => {
      const person = await newPerson(instance);
      const company = await newPerson(instance, "company");
      await person.done("PUT", `/user-person/${person.userId}`, { first_name: "Dana", last_name: "Visser" });
      expect((await person.done("GET", `/user-person/${person.userId}`)).display_name).toBe("Dana Visser");
      expect((await person.done("GET", `/user/${person.userId}`)).first_name).toBe("Dana");
      await company.done("PUT", `/user-company/${company.userId}`, { name: "Visser B.V." });
      expect((await company.done("GET", `/user-company/${company.userId}`)).name).toBe("Visser B.V.");
      expect((await company.done("GET", `/user-company/${company.userId}/name`))[0].name_array).toContain(
        "Visser B.V.",
      );
      expect((await person.done("GET", `${person.user}/legal-name`))[0].legal_names).toContain("D. Visser");
      const id = await person.made(`${person.user}/company`, { name: "Novak" });
      await person.done("PUT", `${person.user}/company/${id}`, { legal_form: "BV" });
      expect((await person.done("GET", `${person.user}/company/${id}`)).legal_form).toBe("BV");
      expect(await person.done("GET", `${person.user}/company`)).toHaveLength(1);
      await person.refused("GET", `/user-payment-service-provider/${person.userId}`, undefined, 404);
      expect((await person.done("GET", `${person.user}/limit`))[0].limit_monetary_account_remaining).toBe(
        499,
      );
      expect((await person.done("GET", `${person.user}/tree-progress`))[0].number_of_tree).toBe(0);
      const funds = { pointer_iban: { type: "IBAN", value: person.iban } };
      const asked = { ...funds, amount: { value: "500.01", currency: "EUR" } };
      expect(await person.done("POST", `${person.user}/confirmation-of-funds`, asked)).toEqual({
        has_sufficient_funds: false,
      });
      expect((await person.done("GET", `${person.user}/feature-announcement/1`)).type).toBe("FEATURE");
      expect((await person.done("GET", "/health-check"))[0].status).toBe("HEALTHY");
      await person.made("/server-error", { message: "It went wrong." });
      await person.refused("GET", `${person.user}/challenge-request/1`, undefined, 404);
    });

    it("keeps keys to their addresses, pins certificates, and reads devices", async () => {
      const person = await newPerson(instance);
      const [device] = await person.done("GET", "/device-server");
      for (const path of ["/device", "/device-server"])
        expect((await person.done("GET", `${path}/${device.id}`)).id).toBe(device.id);
      const [key] = await person.done("GET", `${person.user}/credential-password-ip`);
      const one = `${person.user}/credential-password-ip/${key.id}`;
      expect((await person.done("GET", one)).status).toBe("ACTIVE");
      const ip = await person.made(`${one}/ip`, { ip: "203.0.113.7" });
      const here = () => person.send("GET", "/user", { token: person.secret });
      expect((await here()).status).toBe(403);
      await person.done("PUT", `${one}/ip/${ip}`, { ip: "*" });
      expect((await here()).status).toBe(200);
      expect((await person.done("GET", `${one}/ip/${ip}`)).ip).toBe("*");
      expect(await person.done("GET", `${one}/ip`)).toHaveLength(1);
      await person.refused("POST", `${person.user}/certificate-pinned`, {
        certificate_chain: [{ certificate: "none" }],
      });
      expect(await person.done("GET", `${person.user}/certificate-pinned`)).toEqual([]);
    });

    it("gives applications keys of those who allow it, until they are cancelled", async () => {
      const owner = await newPerson(instance, "company");
      const user = await newPerson(instance);
      const clients = `${owner.user}/oauth-client`;
      const id = await owner.made(clients, {});
      const redirect_uri = "https://shop.example/back";
      const url = await owner.made(`${clients}/${id}/callback-url`, { url: redirect_uri });
      expect(await owner.done("GET", `${clients}/${id}/callback-url/${url}`)).toMatchObject({
        url: redirect_uri,
      });
      await owner.refused("PUT", `${clients}/${id}/callback-url/${url}`, { url: "ftp://x" });
      await owner.done("PUT", `${clients}/${id}/callback-url/${url}`, { url: redirect_uri });
      expect(await owner.done("GET", `${clients}/${id}/callback-url`)).toHaveLength(1);
      const { client_id, secret } = await owner.done("GET", `${clients}/${id}`);
      expect(await owner.done("GET", clients)).toHaveLength(1);
      const query = new URLSearchParams({ response_type: "code", client_id, redirect_uri, state: "s" });
      const page = await instance().send("GET", `/bank/v1/oauth/authorize?${query}`);
      expect([page.status, page.text.includes("to use your accounts?")]).toEqual([200, true]);
      const decide = (key: string) =>
        instance().send("POST", "/bank/v1/oauth/authorize", {
          body: new URLSearchParams({ client_id, redirect_uri, state: "s", key, decision: "allow" }),
        });
      expect((await decide("wrong")).status).toBe(400);
      const back = new URL((await decide(user.secret)).headers.get("location") ?? "");
      expect(back.searchParams.get("state")).toBe("s");
      const form = () =>
        instance().send("POST", "/bank/v1/oauth/token", {
          body: new URLSearchParams({
            grant_type: "authorization_code",
            code: back.searchParams.get("code") ?? "",
            redirect_uri,
            client_id,
            client_secret: secret,
          }),
        });
      const { access_token } = (await form()).body;
      expect((await form()).body.error).toBe("invalid_grant");
      expect((await user.send("GET", "/user", { token: access_token })).body[0].id).toBe(user.userId);
      await owner.done("PUT", `${clients}/${id}`, { status: "CANCELLED" });
      expect((await user.send("GET", "/user", { token: access_token })).status).toBe(401);
      await owner.done("DELETE", `${clients}/${id}/callback-url/${url}`);
    });

    it("notes what happens, tells it signed, tries again, and lists what failed", async () => {
      const heard: { body: string; signature: string }[] = [];
      let status = 500;
      const server = createServer((request, response) => {
        let body = "";
        request.on("data", (part) => (body += part));
        request.on("end", () => {
          heard.push({ body, signature: String(request.headers["x-vendor-server-signature"]) });
          response.writeHead(status).end();
        });
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const target = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
      try {
        const person = await newPerson(instance);
        const other = await newPerson(instance);
        const filters = { notification_filters: [{ category: "MUTATION", notification_target: target }] };
        await person.done("POST", `${person.user}/notification-filter-url`, filters);
        await person.done("POST", `${person.ledger}/notification-filter-url`, { notification_filters: [] });
        expect((await person.done("GET", `${person.ledger}/notification-filter-url`))[0]).toEqual({
          notification_filters: [],
        });
        for (const way of ["push", "email"]) {
          const given = { notification_filters: [{ category: "PAYMENT" }] };
          await person.done("POST", `${person.user}/notification-filter-${way}`, given);
          expect(
            (await person.done("GET", `${person.user}/notification-filter-${way}`))[0].notification_filters,
          ).toHaveLength(1);
        }
        expect(
          (await person.done("GET", `${person.user}/notification-filter-url`))[0].notification_filters,
        ).toHaveLength(1);
        await person.done("POST", `${person.ledger}/payment`, {
          amount: { value: "3.00", currency: "EUR" },
          counterparty_alias: { type: "IBAN", value: other.iban },
          description: "Coffee",
        });
        for (let count = 1; count <= 6; count += 1) {
          await eventually(() => heard.length === count);
          await instance().clock.advance(60_000);
        }
        const { alias } = await person.done("GET", person.user);
        const mail = alias.find(({ type }: { type: string }) => type === "EMAIL").value;
        const { messages } = (await instance().bearer("GET", "/_medley/outbox?limit=100")).body;
        const targets = messages.map(({ kind, target: to }: { kind: string; target: string }) => [kind, to]);
        for (const sent of [
          ["mail", mail],
          ["push", person.user.slice(1)],
          ["webhook", target],
        ])
          expect(targets).toContainEqual(sent);
        const failures = `${person.user}/notification-filter-failure`;
        const [failed] = await eventually(async () => {
          const found = await person.done("GET", failures);
          return found.length === 1 && found;
        });
        expect(failed).toMatchObject({ category: "MUTATION", response_code: 500 });
        status = 200;
        await person.done("POST", failures, { notification_filter_failed_ids: String(failed.id) });
        await eventually(() => heard.length === 7);
        for (const { body, signature } of heard) {
          const isBanks = (text: string) =>
            verify("sha256", Buffer.from(text), person.serverKey, Buffer.from(signature, "base64"));
          expect([isBanks(body), isBanks(`${body} `)]).toEqual([true, false]);
        }
        expect(JSON.parse(heard[0]?.body ?? "{}").NotificationUrl.object.Payment.amount.value).toBe("-3.00");
        const events = await person.done("GET", `${person.user}/event`);
        expect(events[0].object.Payment.description).toBe("Coffee");
        expect((await person.done("GET", `${person.user}/event/${events[0].id}`)).id).toBe(events[0].id);
        const idsOf = async (query: string) =>
          (await person.done("GET", `${person.user}/event?${query}`)).map((one: { id: number }) => one.id);
        const all = await idsOf("count=200");
        expect(all).toEqual([...all].sort((one: number, next: number) => next - one));
        expect(await idsOf(`count=1&older_id=${all[0]}`)).toEqual([all[1]]);
        expect(await idsOf(`count=1&newer_id=${all[1]}`)).toEqual([all[0]]);
        expect(await idsOf(`newer_id=${all[0]}`)).toEqual([]);
        expect(await idsOf(`older_id=${all.at(-1)}`)).toEqual([]);
        await person.refused("GET", `${person.user}/event?older_id=1&newer_id=1`);
        await person.refused("GET", `${person.user}/event?count=201`);
        await person.made(`${person.user}/additional-transaction-information-category-user-defined`, {
          category: "BEANS",
          description: "coffee",
          status: "ACTIVE",
        });
        const categories = await person.done(
          "GET",
          `${person.user}/additional-transaction-information-category`,
        );
        expect(categories[0]).toMatchObject({ category: "BEANS", type: "USER_DEFINED" });
        const insights = await person.done("GET", `${person.user}/insights`);
        expect(insights).toContainEqual(expect.objectContaining({ category: "BEANS" }));
        const found = await person.done("GET", `${person.user}/insights-search?category=BEANS`);
        expect(found).toHaveLength(1);
        expect(await person.done("GET", `${person.user}/insight-preference-date`)).toEqual([
          { day_of_month: 1 },
        ]);
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    });
  },
  { services: ["bank"], bankRateLimit: 0 },
);
