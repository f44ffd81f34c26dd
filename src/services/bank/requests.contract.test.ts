/** Requests for money, batches, drafts and schedules, over HTTP on both databases. */
import { beforeAll, expect, it } from "vitest";
import { type BankPerson, euros, newHolder, newPerson } from "../../../tests/support/bank-people.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const DAY_MS = 86_400_000;

onBothDatabases(
  "payments by request and by order",
  (instance) => {
    let asker: BankPerson;
    let payer: BankPerson;
    let third: BankPerson;
    beforeAll(async () => {
      [asker, payer, third] = await Promise.all([
        newHolder(instance),
        newPerson(instance),
        newHolder(instance, "company"),
      ]);
    });
    const request = (value: string, more: object = {}) => ({
      amount_inquired: euros(value),
      counterparty_alias: { type: "IBAN", value: payer.iban },
      description: "Dinner",
      allow_vendorme: false,
      ...more,
    });
    const entry = (to: BankPerson, value: string, description = "Rent") => ({
      amount: euros(value),
      counterparty_alias: { type: "IBAN", value: to.iban },
      description,
    });
    const timeText = (ms: number): string => new Date(ms).toISOString().replace("T", " ").slice(0, 23);

    it("pays what is asked for when it is accepted, whole or in part", async () => {
      const before = [await asker.balance(), await payer.balance()].map(Number);
      const id = await asker.made(`${asker.ledger}/request-inquiry`, request("10.00"));
      const [seen] = await payer.done("GET", `${payer.ledger}/request-response`);
      expect(seen).toMatchObject({
        id,
        status: "PENDING",
        amount_inquired: euros("10.00"),
        type: "INTERNAL",
      });
      expect(
        await asker.refused("PUT", `${asker.ledger}/request-inquiry/${id}`, { status: "ACCEPTED" }),
      ).toBe("status can be set to REVOKED.");
      const unsigned = await payer.send("PUT", `${payer.ledger}/request-response/${id}`, {
        body: { status: "ACCEPTED" },
        isSigned: false,
      });
      expect(unsigned.status).toBe(466);
      const answered = await payer.done("PUT", `${payer.ledger}/request-response/${id}`, {
        status: "ACCEPTED",
        amount_responded: euros("7.50"),
      });
      expect(answered).toMatchObject({ status: "ACCEPTED", amount_responded: euros("7.50") });
      expect(await asker.done("GET", `${asker.ledger}/request-inquiry/${id}`)).toMatchObject({
        status: "ACCEPTED",
        amount_responded: euros("7.50"),
      });
      const after = [await asker.balance(), await payer.balance()].map(Number);
      expect(after).toEqual([(before[0] ?? 0) + 7.5, (before[1] ?? 0) - 7.5]);
      const [payment] = await payer.done("GET", `${payer.ledger}/payment?count=1`);
      expect(payment).toMatchObject({ amount: euros("-7.50"), sub_type: "REQUEST", description: "Dinner" });
      expect(
        await payer.refused("PUT", `${payer.ledger}/request-response/${id}`, { status: "ACCEPTED" }),
      ).toMatch("cannot become");
    });

    it("asks for no less, no more and an address where the request says so", async () => {
      const id = await asker.made(
        `${asker.ledger}/request-inquiry`,
        request("10.00", { allow_amount_lower: false, require_address: "SHIPPING" }),
      );
      const path = `${payer.ledger}/request-response/${id}`;
      const accept = (more: object) => payer.refused("PUT", path, { status: "ACCEPTED", ...more });
      expect(await accept({ amount_responded: euros("9.99") })).toMatch("in part");
      expect(await accept({ amount_responded: euros("10.01") })).toMatch("More than");
      expect(await accept({})).toMatch("address_shipping");
      const address = {
        street: "Kade",
        house_number: "1",
        postal_code: "1011AA",
        city: "Amsterdam",
        country: "NL",
      };
      await payer.done("PUT", path, { status: "ACCEPTED", address_shipping: address });
      expect(await asker.done("GET", `${asker.ledger}/request-inquiry/${id}`)).toMatchObject({
        address_shipping: address,
      });
      const pages = `${asker.ledger}/request-inquiry?count=1`;
      expect((await asker.done("GET", pages)).map((one: { id: number }) => one.id)).toEqual([id]);
      const [older] = await asker.done("GET", `${pages}&older_id=${id}`);
      expect((await asker.done("GET", `${pages}&newer_id=${older.id}`))[0].id).toBe(id);
    });

    it("rejects, revokes and lets requests end by time", async () => {
      const ask = () => asker.made(`${asker.ledger}/request-inquiry`, request("1.00"));
      const rejected = await ask();
      await payer.done("PUT", `${payer.ledger}/request-response/${rejected}`, { status: "REJECTED" });
      const revoked = await ask();
      const shown = await asker.done("PUT", `${asker.ledger}/request-inquiry/${revoked}`, {
        status: "REVOKED",
      });
      expect(shown).toMatchObject({ status: "REVOKED", user_alias_revoked: { country: "NL" } });
      const statusOf = async (id: number) => [
        (await asker.done("GET", `${asker.ledger}/request-inquiry/${id}`)).status,
        (await payer.done("GET", `${payer.ledger}/request-response/${id}`)).status,
      ];
      expect(await statusOf(rejected)).toEqual(["REJECTED", "REJECTED"]);
      expect(await statusOf(revoked)).toEqual(["REVOKED", "REVOKED"]);
      const poor = await payer.refused("PUT", `${payer.ledger}/request-response/${revoked}`, {
        status: "ACCEPTED",
      });
      expect(poor).toBe("What is REVOKED cannot become ACCEPTED.");
    });

    it("makes batches of requests, and takes back what is still open", async () => {
      const body = {
        request_inquiries: [request("3.00"), request("4.00")],
        total_amount_inquired: euros("7.00"),
      };
      const wrong = { ...body, total_amount_inquired: euros("8.00") };
      expect(await asker.refused("POST", `${asker.ledger}/request-inquiry-batch`, wrong)).toMatch("sum");
      const id = await asker.made(`${asker.ledger}/request-inquiry-batch`, body);
      const path = `${asker.ledger}/request-inquiry-batch/${id}`;
      const { request_inquiries, total_amount_inquired } = await asker.done("GET", path);
      expect([request_inquiries.length, request_inquiries[0].batch_id, total_amount_inquired]).toEqual([
        2,
        id,
        euros("7.00"),
      ]);
      await payer.done("PUT", `${payer.ledger}/request-response/${request_inquiries[0].id}`, {
        status: "ACCEPTED",
      });
      await asker.done("PUT", path, { status: "REVOKED" });
      const [listed] = await asker.done("GET", `${asker.ledger}/request-inquiry-batch`);
      expect(listed.request_inquiries.map(({ status }: { status: string }) => status)).toEqual([
        "ACCEPTED",
        "REVOKED",
      ]);
    });

    it("gets money from a friend of every test, and an address to pay at from strangers", async () => {
      const to = (value: string) => ({ counterparty_alias: { type: "EMAIL", value } });
      const before = Number(await asker.balance());
      const path = `${asker.ledger}/request-inquiry`;
      const friend = await asker.made(path, request("500.00", to("sugardaddy@bank.example")));
      const greedy = await asker.made(path, request("500.01", to("sugardaddy@bank.example")));
      const unknown = request("2.00", to("nobody@example.org"));
      expect(await asker.refused("POST", path, unknown)).toMatch("allow_vendorme");
      const stranger = await asker.made(path, { ...unknown, allow_vendorme: true });
      const read = (id: number) => asker.done("GET", `${path}/${id}`);
      expect((await read(friend)).status).toBe("ACCEPTED");
      expect((await read(greedy)).status).toBe("REJECTED");
      expect((await read(stranger)).vendorme_share_url).toMatch(/\/bank\/v1\/share\//);
      expect(Number(await asker.balance())).toBe(before + 500);
    });

    it("pays a batch whole or not at all", async () => {
      const before = [await asker.balance(), await payer.balance(), await third.balance()];
      const tooMuch = { payments: [entry(payer, "5.00"), entry(third, "5000.00")] };
      expect(await asker.refused("POST", `${asker.ledger}/payment-batch`, tooMuch)).toMatch(
        "not enough money",
      );
      expect([await asker.balance(), await payer.balance(), await third.balance()]).toEqual(before);
      const id = await asker.made(`${asker.ledger}/payment-batch`, {
        payments: [entry(payer, "5.00"), entry(third, "6.00")],
      });
      const { payments } = await asker.done("GET", `${asker.ledger}/payment-batch/${id}`);
      expect(payments.Payment).toMatchObject([
        { amount: euros("-5.00"), batch_id: id },
        { amount: euros("-6.00"), batch_id: id },
      ]);
      expect(
        await asker.refused("PUT", `${asker.ledger}/payment-batch/${id}`, { status: "REVOKED" }),
      ).toMatch("have arrived");
      expect((await asker.done("GET", `${asker.ledger}/payment-batch`))[0].id).toBe(id);
    });

    it("recalls what has not left the house, and settles or bounces the rest with the clearing", async () => {
      const outside = (name: string) => ({
        amount: euros("1.00"),
        counterparty_alias: { type: "IBAN", value: "DE89370400440532013000", name },
        description: "Abroad",
      });
      const before = Number(await asker.balance());
      const recalled = await asker.made(`${asker.ledger}/payment-batch`, { payments: [outside("Erika")] });
      await asker.done("PUT", `${asker.ledger}/payment-batch/${recalled}`, { status: "REVOKED" });
      expect(Number(await asker.balance())).toBe(before);
      const kept = await asker.made(`${asker.ledger}/payment`, outside("Erika"));
      const bounced = await asker.made(`${asker.ledger}/payment`, outside("Bounce AC04"));
      const arrivalOf = async (id: number): Promise<string> =>
        (await asker.done("GET", `${asker.ledger}/payment/${id}`)).payment_arrival_expected.status;
      expect(await arrivalOf(kept)).toBe("ON_ITS_WAY");
      await instance().clock.advance(15 * 60_000);
      expect(await arrivalOf(kept)).toBe("ARRIVED");
      expect(await arrivalOf(bounced)).toBe("RETURNED");
      expect(Number(await asker.balance())).toBe(before - 1);
      const [reversal] = await asker.done("GET", `${asker.ledger}/payment?count=1`);
      expect(reversal).toMatchObject({ sub_type: "REVERSAL", description: "AC04: The account is closed." });
    });

    it("pays a draft when enough have agreed", async () => {
      const path = `${asker.ledger}/draft-payment`;
      const before = Number(await asker.balance());
      const id = await asker.made(path, { entries: [entry(payer, "2.00")], number_of_required_accepts: 1 });
      const { updated } = await asker.done("GET", `${path}/${id}`);
      const stale = { status: "ACCEPTED", previous_updated_timestamp: "2020-01-01 00:00:00.000000" };
      expect(await asker.refused("PUT", `${path}/${id}`, stale)).toMatch("meanwhile");
      await asker.done("PUT", `${path}/${id}`, { status: "ACCEPTED", previous_updated_timestamp: updated });
      const draft = await asker.done("GET", `${path}/${id}`);
      expect(draft).toMatchObject({ status: "ACCEPTED", object: { Payment: { amount: euros("-2.00") } } });
      expect(Number(await asker.balance())).toBe(before - 2);
      const two = await asker.made(path, { entries: [entry(payer, "2.00")], number_of_required_accepts: 2 });
      await asker.done("PUT", `${path}/${two}`, { status: "ACCEPTED" });
      expect(await asker.refused("PUT", `${path}/${two}`, { status: "ACCEPTED" })).toMatch("already");
      expect((await asker.done("GET", `${path}/${two}`)).status).toBe("PENDING");
      const changed = { entries: [entry(payer, "2.00"), entry(third, "1.00")] };
      await asker.done("PUT", `${path}/${two}`, changed);
      await asker.done("PUT", `${path}/${two}`, { status: "REJECTED" });
      expect(await asker.refused("PUT", `${path}/${two}`, changed)).toMatch("REJECTED");
      expect((await asker.done("GET", path)).map(({ status }: { status: string }) => status)).toEqual([
        "REJECTED",
        "ACCEPTED",
      ]);
      expect(Number(await asker.balance())).toBe(before - 2);
    });

    it("pays on schedule, skips, fails and tries again", async () => {
      const poor = await newHolder(instance);
      const nowMs = instance().clock.nowMs();
      const path = `${poor.ledger}/schedule-payment`;
      const schedule = {
        time_start: timeText(nowMs + DAY_MS),
        time_end: timeText(nowMs + 4 * DAY_MS),
        recurrence_unit: "DAILY",
        recurrence_size: 1,
      };
      const past = { ...schedule, time_start: "2020-01-01 00:00:00" };
      expect(await poor.refused("POST", path, { payment: entry(payer, "1.00"), schedule: past })).toMatch(
        "passed",
      );
      const id = await poor.made(path, { payment: entry(payer, "300.00"), schedule, purpose: "RENT" });
      const instances = `${poor.ledger}/schedule/${id}/schedule-instance`;
      const states = async (): Promise<string[]> =>
        (await poor.done("GET", instances)).map(({ state }: { state: string }) => state).reverse();
      await instance().clock.advance(DAY_MS);
      expect(await states()).toEqual(["FINISHED_SUCCESSFULLY", "PENDING"]);
      expect(await poor.balance()).toBe("200.00");
      const [coming] = await poor.done("GET", instances);
      await poor.done("PUT", `${instances}/${coming.id}`, { state: "SKIPPED" });
      await instance().clock.advance(DAY_MS);
      expect(await states()).toEqual(["FINISHED_SUCCESSFULLY", "SKIPPED", "PENDING"]);
      await instance().clock.advance(DAY_MS);
      expect((await states())[2]).toBe("FAILED_USER_ERROR");
      const [, failed] = await poor.done("GET", instances);
      expect(failed.error_message[0].error_description).toMatch("not enough money");
      await payer.done("POST", `${payer.ledger}/payment`, entry(poor, "100.00"));
      await poor.done("PUT", `${instances}/${failed.id}`, { state: "RETRY" });
      await eventually(async () => (await states())[2] === "FINISHED_SUCCESSFULLY");
      const result = await poor.done("GET", `${instances}/${failed.id}`);
      expect(result.result_object.Payment).toMatchObject({ amount: euros("-300.00"), scheduled_id: id });
      await instance().clock.advance(DAY_MS);
      expect((await poor.done("GET", `${path}/${id}`)).status).toBe("FINISHED");
      expect((await poor.done("GET", `${poor.ledger}/schedule/${id}`)).object.Payment.amount).toEqual(
        euros("300.00"),
      );
      expect(await poor.refused("PUT", `${path}/${id}`, { purpose: "MORE" })).toMatch("FINISHED");
    });

    it("changes and ends schedules of payments and of batches", async () => {
      const nowMs = instance().clock.nowMs();
      const schedule = {
        time_start: timeText(nowMs + DAY_MS),
        recurrence_unit: "MONTHLY",
        recurrence_size: 1,
      };
      const path = `${asker.ledger}/schedule-payment`;
      const id = await asker.made(path, { payment: entry(payer, "1.00"), schedule });
      await asker.done("PUT", `${path}/${id}`, {
        payment: entry(third, "2.00"),
        schedule: { ...schedule, recurrence_unit: "WEEKLY" },
      });
      expect(await asker.done("GET", `${path}/${id}`)).toMatchObject({
        status: "ACTIVE",
        payment: { amount: euros("2.00") },
        schedule: { recurrence_unit: "WEEKLY" },
      });
      const batches = `${asker.ledger}/schedule-payment-batch`;
      const batch = await asker.made(batches, {
        payments: [entry(payer, "1.00"), entry(third, "1.00")],
        schedule,
      });
      await asker.done("PUT", `${batches}/${batch}`, {
        payments: [entry(third, "0.50"), entry(payer, "0.50")],
      });
      const before = Number(await asker.balance());
      await instance().clock.advance(DAY_MS);
      expect(Number(await asker.balance())).toBe(before - 3);
      expect((await asker.done("GET", `${batches}/${batch}`)).payments).toHaveLength(2);
      const kinds = (await asker.done("GET", `${asker.user}/schedule`)).map(
        ({ object }: any) => Object.keys(object)[0],
      );
      expect(kinds).toEqual(["PaymentBatch", "Payment"]);
      await asker.done("DELETE", `${path}/${id}`);
      await asker.done("DELETE", `${batches}/${batch}`);
      expect(await asker.done("GET", path)).toEqual([]);
      expect((await asker.done("GET", `${asker.ledger}/schedule`))[0].status).toBe("CANCELLED");
    });

    it("asks on schedule", async () => {
      const schedule = {
        time_start: timeText(instance().clock.nowMs() + DAY_MS),
        recurrence_unit: "ONCE",
      };
      const path = `${asker.ledger}/schedule-request-inquiry`;
      const id = await asker.made(path, { request_inquiries: [request("1.50")], schedule });
      const batch = await asker.made(`${path}-batch`, {
        request_inquiries: [request("1.60"), request("1.70")],
        schedule,
      });
      await instance().clock.advance(DAY_MS);
      const seen = await payer.done("GET", `${payer.ledger}/request-response?count=3`);
      expect(seen.map(({ amount_inquired }: any) => amount_inquired.value).sort()).toEqual([
        "1.50",
        "1.60",
        "1.70",
      ]);
      for (const one of [`${path}/${id}`, `${path}-batch/${batch}`]) {
        expect((await asker.done("GET", one)).status).toBe("FINISHED");
        await asker.made(`${one}/note-text`, { content: "Every month" });
      }
      expect((await asker.done("GET", path))[0].id).toBe(id);
      expect((await asker.done("GET", `${path}-batch`))[0].id).toBe(batch);
      expect(await asker.refused("DELETE", `${path}/${id}`)).toMatch("FINISHED");
      const later = { ...schedule, time_start: timeText(instance().clock.nowMs() + DAY_MS) };
      for (const kind of [path, `${path}-batch`]) {
        const spare = await asker.made(kind, { request_inquiries: [request("1.80")], schedule: later });
        await asker.done("DELETE", `${kind}/${spare}`);
        await asker.refused("GET", `${kind}/${spare}`, undefined, 404);
      }
    });

    it("keeps a user's requests, drafts and schedules from everybody else", async () => {
      const id = await asker.made(`${asker.ledger}/request-inquiry`, request("1.00"));
      for (const path of [
        `${asker.ledger}/request-inquiry/${id}`,
        `${third.ledger}/request-inquiry/${id}`,
        `${third.ledger}/request-response/${id}`,
      ])
        expect(await third.refused("GET", path, undefined, 404)).toMatch("There is no");
    });
  },
  { services: ["bank"], bankRateLimit: 0 },
);
