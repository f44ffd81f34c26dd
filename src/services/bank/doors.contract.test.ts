/** Who comes in and who does not: signatures, request ids, installations, certificates, providers and applications. */
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { BankCaller, PRIVATE_PEM, PUBLIC_PEM } from "../../../tests/support/bank.ts";
import { type BankPerson, euros, newPerson } from "../../../tests/support/bank-people.ts";
import { newCertificate, providerCredential, signedBy } from "../../../tests/support/bank-provider.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { createEphemeralAuthority } from "../../kernel/tls/index.ts";

const other = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

onBothDatabases(
  "doors of the bank",
  (instance) => {
    let ann: BankPerson;
    let bob: BankPerson;
    beforeAll(async () => {
      [ann, bob] = await Promise.all([newPerson(instance), newPerson(instance)]);
    });
    const payment = (value: string) => ({
      amount: euros(value),
      counterparty_alias: { type: "IBAN", value: bob.iban },
      description: "Lunch",
    });
    const pay = (headers: Record<string, string>, body: unknown = payment("1.00"), isSigned = true) =>
      ann.send("POST", `${ann.ledger}/payment`, { body, headers, isSigned });
    const words = ({ status, body }: { status: number; body: any }) => [
      status,
      body.Error?.[0].error_description,
    ];

    it.each([
      ["none at all", () => undefined, 466, "This request must be signed."],
      [
        "one by another key",
        (text: string) => signedBy(other.privateKey, text),
        400,
        "The request signature is invalid.",
      ],
      [
        "one of another body",
        (text: string) => signedBy(PRIVATE_PEM, `${text} `),
        400,
        "The request signature is invalid.",
      ],
      ["one of nothing", () => signedBy(PRIVATE_PEM, ""), 400, "The request signature is invalid."],
      ["one that is none", () => "not base64!", 400, "The request signature is invalid."],
      ["an empty one", () => "", 400, "The request signature is invalid."],
    ])("refuses a payment with %s, and pays nothing", async (_name, signed, status, reason) => {
      const signature = signed(JSON.stringify(payment("1.00")));
      const before = await ann.balance();
      const headers: Record<string, string> =
        signature === undefined ? {} : { "X-Vendor-Client-Signature": signature };
      const answer = await pay(headers, payment("1.00"), false);
      expect(words(answer)).toEqual([status, reason]);
      expect(ann.isSignedByBank(answer)).toBe(true);
      expect(await ann.balance()).toBe(before);
    });

    it("needs no signature to look, but no wrong one either", async () => {
      const look = (headers: Record<string, string>) =>
        ann.send("GET", `${ann.user}/monetary-account`, { isSigned: false, headers });
      expect((await look({})).status).toBe(200);
      expect((await look({ "X-Vendor-Client-Signature": signedBy(PRIVATE_PEM, "x") })).status).toBe(400);
    });

    it("does what a device asks for under one name once", async () => {
      const before = Number(await ann.balance());
      const named = { "X-Vendor-Client-Request-Id": "lunch-1" };
      const first = await pay(named);
      expect([first.status, first.headers.get("x-vendor-client-request-id")]).toEqual([200, "lunch-1"]);
      for (const body of [payment("1.00"), payment("2.00")])
        expect(words(await pay(named, body))).toEqual([
          400,
          "The request id lunch-1 was used before by this device.",
        ]);
      expect(Number(await ann.balance())).toBe(before - 1);
      const elsewhere = { body: payment("1.00"), headers: named };
      expect((await bob.send("POST", `${bob.ledger}/payment`, elsewhere)).status).not.toBe(200);
      expect(words(await pay({ "X-Vendor-Client-Request-Id": "x".repeat(101) }))[0]).toBe(400);
      const failed = { "X-Vendor-Client-Request-Id": "lunch-2" };
      expect((await pay(failed, payment("5000.00"))).status).toBe(400);
      expect((await pay(failed)).status).toBe(200);
    });

    it("tells an installation what it is, and nobody else", async () => {
      const caller = new BankCaller(instance);
      const { body } = await caller.install();
      const look = (path: string, token = caller.installation) =>
        caller.send("GET", path, { token, isSigned: false });
      const list = await look("/installation");
      expect([list.body, caller.isSignedByBank(list)]).toEqual([[{ id: body.Id.id }], true]);
      expect((await look(`/installation/${body.Id.id}`)).body).toEqual({ id: body.Id.id });
      expect((await look(`/installation/${body.Id.id + 1}`)).status).toBe(404);
      const keys = await look(`/installation/${body.Id.id}/server-public-key`);
      expect(keys.body).toEqual([{ server_public_key: caller.serverKey }]);
      const stranger = await look("/installation", "mbi_made-up");
      expect([stranger.status, stranger.headers.get("x-vendor-server-signature")]).toEqual([401, null]);
      const guessed = await look("/user", "mbs_made-up");
      expect([guessed.status, guessed.headers.get("x-vendor-server-signature")]).toEqual([401, null]);
      for (const client_public_key of ["none", PUBLIC_PEM.replace("MIIB", "MIIC"), "x".repeat(3000)])
        expect(
          (await caller.send("POST", "/installation", { body: { client_public_key }, token: "" })).status,
        ).toBe(400);
    });

    it("registers a device once, for where it says", async () => {
      const caller = new BankCaller(instance);
      await caller.install();
      expect((await caller.open(ann.secret)).status).toBe(400);
      expect((await caller.register("wrong")).status).toBe(401);
      expect((await caller.register(ann.secret, ["203.0.113.7"])).status).toBe(200);
      expect((await caller.register(ann.secret)).status).toBe(400);
      expect(words(await caller.open(ann.secret))).toEqual([400, "This device may not call from here."]);
      expect((await ann.done("GET", "/device")).length).toBeGreaterThan(1);
    });

    it("pins certificates", async () => {
      const path = `${ann.user}/certificate-pinned`;
      const { pem } = await newCertificate();
      const id = await ann.made(path, { certificate_chain: [{ certificate: pem }] });
      expect((await ann.done("GET", `${path}/${id}`)).certificate_chain).toContain("BEGIN CERTIFICATE");
      await bob.refused("GET", `${bob.user}/certificate-pinned/${id}`, undefined, 404);
      await ann.done("DELETE", `${path}/${id}`);
      await ann.refused("GET", `${path}/${id}`, undefined, 404);
    });

    it("tells only who shows a pinned certificate", async () => {
      const authority = await createEphemeralAuthority({ hosts: ["localhost"], nowMs: Date.now() });
      let heard = 0;
      const server = createServer(
        { cert: authority.certificatePem, key: authority.keyPem },
        (request, response) => {
          heard += 1;
          request.resume().once("end", () => response.end());
        },
      );
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      try {
        const notification_target = `https://localhost:${port}/`;
        const filters = { notification_filters: [{ category: "MUTATION", notification_target }] };
        await ann.done("POST", `${ann.user}/notification-filter-url`, filters);
        const pin = (certificate: string) =>
          ann.made(`${ann.user}/certificate-pinned`, { certificate_chain: [{ certificate }] });
        const failures = () => ann.done("GET", `${ann.user}/notification-filter-failure`);
        const right = await pin(authority.certificateAuthorityPem);
        await ann.done("POST", `${ann.ledger}/payment`, payment("1.00"));
        await eventually(() => heard === 1, "the notification");
        await ann.done("DELETE", `${ann.user}/certificate-pinned/${right}`);
        await pin((await newCertificate()).pem);
        await ann.done("POST", `${ann.ledger}/payment`, payment("1.00"));
        const failed = await eventually(async () => {
          await instance().clock.advance(60_000);
          const [one] = await failures();
          return one;
        }, "the failure");
        expect([heard, failed.response_code, failed.exception_message]).toEqual([
          1,
          0,
          expect.stringContaining("No secure connection"),
        ]);
      } finally {
        await new Promise((resolve) => server.close(resolve));
        await ann.done("POST", `${ann.user}/notification-filter-url`, { notification_filters: [] });
      }
    });

    it("lets a payment service provider in by its certificate, to a session of its own", async () => {
      const { pem, privateKey } = await newCertificate();
      const path = "/payment-service-provider-credential";
      const credential = (signature: string) => providerCredential(pem, signature);
      expect(await ann.refused("POST", path, credential(signedBy(PRIVATE_PEM, PUBLIC_PEM)))).toMatch("fit");
      const signed = credential(signedBy(privateKey, PUBLIC_PEM));
      const stranger = (await newCertificate()).pem;
      const foreign = { ...signed, client_payment_service_provider_certificate_chain: stranger };
      expect(await ann.refused("POST", path, foreign)).toMatch("issued");
      const id = await ann.made(path, signed);
      const { token_value } = await ann.done("GET", `${path}/${id}`);
      await bob.refused("GET", `${path}/${id}`, undefined, 404);
      const provider = new BankCaller(instance);
      await provider.install();
      await provider.register(token_value);
      const { body } = await provider.open(token_value);
      const own = body.UserPaymentServiceProvider;
      expect(own.certificate_distinguished_name).toContain("Medley local authority");
      const read = await provider.send("GET", `/user-payment-service-provider/${own.id}`);
      expect([read.status, read.body.id]).toEqual([200, own.id]);
      expect((await provider.send("GET", `${ann.user}/monetary-account`)).status).toBe(404);
      const again = await ann.made(path, credential(signedBy(privateKey, PUBLIC_PEM)));
      expect((await ann.done("GET", `${path}/${again}`)).token_value).not.toBe(token_value);
    });

    it("opens sessions with the key of an application, and tells for whom", async () => {
      const clients = `${bob.user}/oauth-client`;
      const id = await bob.made(clients, {});
      const redirect_uri = "https://shop.example/back";
      await bob.made(`${clients}/${id}/callback-url`, { url: redirect_uri });
      const { client_id, secret } = await bob.done("GET", `${clients}/${id}`);
      const decide = (more: Record<string, string>) =>
        instance().send("POST", "/bank/v1/oauth/authorize", {
          body: new URLSearchParams({ client_id, redirect_uri, state: "s", decision: "allow", ...more }),
        });
      expect((await decide({ key: ann.secret, redirect_uri: "https://evil.example/" })).status).toBe(400);
      const lost = await instance().send("GET", `/bank/v1/oauth/authorize?client_id=${client_id}`);
      expect([lost.status, lost.headers.get("content-type"), lost.text]).toEqual([
        400,
        "text/html; charset=utf-8",
        expect.stringContaining("does not say who it is"),
      ]);
      const denied = await decide({ decision: "deny" });
      expect(denied.headers.get("location")).toBe(`${redirect_uri}?error=access_denied&state=s`);
      const allowed = await decide({ key: ann.secret });
      const code = new URL(allowed.headers.get("location") ?? "").searchParams.get("code") ?? "";
      const exchange = (more: Record<string, string>) =>
        instance().send("POST", "/bank/v1/oauth/token", {
          body: {
            grant_type: "authorization_code",
            code,
            redirect_uri,
            client_id,
            client_secret: secret,
            ...more,
          },
        });
      expect((await exchange({ client_secret: "wrong" })).body.error).toBe("invalid_client");
      expect((await exchange({ grant_type: "password" })).body.error).toBe("unsupported_grant_type");
      const { access_token } = (await exchange({})).body;
      const application = new BankCaller(instance);
      await application.install();
      await application.register(access_token);
      const { UserApiKey } = (await application.open(access_token)).body;
      expect(UserApiKey).toMatchObject({
        granted_by_user: { UserPerson: { id: ann.userId } },
        requested_by_user: { UserPerson: { id: bob.userId } },
      });
      expect((await application.send("GET", `${ann.user}/monetary-account`)).status).toBe(200);
      expect((await decide({ key: access_token })).status).toBe(400);
      const late = await decide({ key: ann.secret });
      const old = new URL(late.headers.get("location") ?? "").searchParams.get("code") ?? "";
      await instance().clock.advance(5 * 60_000);
      expect((await exchange({ code: old })).body.error).toBe("invalid_grant");
      await bob.done("PUT", `${clients}/${id}`, { status: "CANCELLED" });
      await bob.refused("PUT", `${clients}/${id}`, { status: "CANCELLED" });
      expect((await application.send("GET", "/user")).status).toBe(401);
      expect((await decide({ key: ann.secret })).status).toBe(400);
    });

    it("leads nobody to a script, and lets one page take so many forms", async () => {
      const request = {
        amount_inquired: euros("1.00"),
        counterparty_alias: { type: "EMAIL", value: "someone@example.org" },
        description: "<script>alert(1)</script>",
        allow_vendorme: true,
      };
      const path = `${ann.ledger}/request-inquiry`;
      const script = { ...request, redirect_url: "javascript:alert(1)" };
      expect(await ann.refused("POST", path, script)).toMatch("http or https");
      const id = await ann.made(path, request);
      const url = (await ann.done("GET", `${path}/${id}`)).vendorme_share_url;
      const page = await instance().send("GET", url);
      expect(page.text).not.toContain("<script>");
      expect(page.headers.get("content-security-policy")).toMatch("frame-ancestors 'none'");
      const press = () =>
        instance().send("POST", url, { body: new URLSearchParams({ attempt: "one", way: "instant" }) });
      const answers = await Promise.all(Array.from({ length: 61 }, press));
      expect(answers.filter(({ text: shown }) => shown.includes("Too much happens"))).toHaveLength(1);
    });
  },
  { services: ["bank"], bankRateLimit: 0 },
);
