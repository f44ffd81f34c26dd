/** Users are backed up with everything they have, and come back equal, while the books stay balanced. */
import { beforeAll, expect, it } from "vitest";
import { account, Backups, role } from "../../../tests/support/backup.ts";
import { type BankPerson, euros, newHolder } from "../../../tests/support/bank-people.ts";
import { makeFurtherThings, makeThings, PICTURE, readablePaths } from "../../../tests/support/bank-things.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const arnOf = ({ userId }: BankPerson): string => `arn:vendor:bank::${account}:user/${userId}`;
const DAY_MS = 86_400_000;
/** Lists of what a copy does not have, or has besides. */
const NOT_COPIED =
  /\/(company|credential-password-ip|device|draft-payment|oauth-client|session|share-invite-[\w-]+|request-(inquiry|response)|payment-service-provider-draft-payment)$/;
const inPlace = { inPlace: "true" };

onBothDatabases(
  "backups of bank users",
  (instance) => {
    const backups = new Backups(instance);
    let ann: BankPerson;
    let bob: BankPerson;
    const admin = async (method: string, path: string, status = 204) => {
      const answer = await instance().bearer(method, `/_medley/bank/${path}`);
      expect([answer.status, answer.text]).toEqual([status, answer.text]);
      return answer.body;
    };
    const requireSound = async () => {
      const proof = await admin("GET", "proof", 200);
      expect([proof.isSound, proof.wrong]).toEqual([true, []]);
    };
    const payTo = (from: BankPerson, to: BankPerson, value: string, description = "Tea") =>
      from.made(`${from.ledger}/payment`, {
        amount: euros(value),
        counterparty_alias: { type: "IBAN", value: to.iban },
        description,
      });
    const payDaily = (from: BankPerson, to: BankPerson, value: string) =>
      from.made(`${from.ledger}/schedule-payment`, {
        payment: {
          amount: euros(value),
          counterparty_alias: { type: "IBAN", value: to.iban },
          description: "Daily",
        },
        schedule: {
          time_start: new Date(instance().clock.nowMs() + DAY_MS)
            .toISOString()
            .replace("T", " ")
            .slice(0, 23),
          recurrence_unit: "DAILY",
        },
      });
    const ask = (asking: BankPerson, asked: BankPerson, value: string) =>
      asking.made(`${asking.ledger}/request-inquiry`, {
        amount_inquired: euros(value),
        counterparty_alias: { type: "IBAN", value: asked.iban },
        description: "Cake",
        allow_vendorme: false,
      });
    const statusOf = async (person: BankPerson, kind: string, id: number): Promise<string> =>
      (await person.done("GET", `${person.ledger}/${kind}/${id}`)).status;
    beforeAll(async () => {
      await instance().bearer("POST", "/_medley/clock/freeze");
      await backups.vault("main");
    });

    it("a user with one thing of every kind comes back equal, changed or deleted", async () => {
      [ann, bob] = [await newHolder(instance), await newHolder(instance)];
      const uploaded = await instance().send("POST", `/bank/v1${ann.ledger}/attachment`, {
        body: PICTURE,
        headers: { "content-type": "image/png", "X-Vendor-Client-Authentication": ann.session },
      });
      const things: Record<string, number | string> = {
        ...(await makeThings(instance(), ann, bob)),
        ...(await makeFurtherThings(instance(), ann, bob)),
        userID: ann.userId,
        monetaryAccountID: ann.ledgerId,
        attachmentID: uploaded.body.id,
      };
      const daily = await payDaily(ann, bob, "1.00");
      const paths = await readablePaths(ann, things);
      expect(paths.length).toBeGreaterThan(120);
      const shown = async () => {
        const all: Record<string, unknown> = {};
        for (const path of paths) {
          const { status, text } = await ann.send("GET", path);
          all[path] = [status, text];
        }
        return all;
      };
      const planned = async () => {
        const { body } = await instance().bearer(
          "GET",
          "/_medley/jobs?service=bank&state=waiting&limit=1000",
        );
        return body.jobs
          .map(({ name, payload, runAt }: Record<string, unknown>) => JSON.stringify([name, payload, runAt]))
          .sort();
      };
      await eventually(async () => {
        const { body } = await instance().bearer("GET", "/_medley/jobs/counts?service=bank");
        return JSON.stringify(body).includes('"running":0');
      }, "the documents");
      const [before, jobs, bobs] = [await shown(), await planned(), await bob.balance()];
      const point = await backups.pointOf(arnOf(ann), "BankUser");

      await payTo(ann, bob, "10.00");
      await ann.done("PUT", `/user-person/${ann.userId}`, { first_name: "Other", last_name: "Name" });
      await ann.done("PUT", `${ann.ledger}/schedule-payment/${daily}`, { status: "CANCELLED" });
      await ann.openAccount("GBP");
      expect(await shown()).not.toEqual(before);
      expect(await backups.restoredArn(point, inPlace)).toBe(arnOf(ann));
      expect(await shown()).toEqual(before);
      expect(await planned()).toEqual(jobs);
      expect(Number(await bob.balance())).toBe(Number(bobs) + 10);
      await requireSound();

      await admin("DELETE", `users/${ann.userId}`);
      expect((await ann.send("GET", "/user")).status).toBe(401);
      await requireSound();
      await backups.restoredArn(point, {});
      // Rights on the accounts of others ended with the user.
      const isOwn = ([path]: [string, unknown]) => !path.includes("/share-invite-monetary-account-response");
      expect(Object.entries(await shown()).filter(isOwn)).toEqual(Object.entries(before).filter(isOwn));
      expect(await planned()).toEqual(jobs);
      await requireSound();

      const copy = Number((await backups.restoredArn(point, { userName: "Ann Again" })).split("user/")[1]);
      const theirs = await newHolder(instance);
      theirs.session = (await admin("POST", `users/${copy}/keys`, 200)).apiKey;
      const [first] = await theirs.done("GET", `/user/${copy}/monetary-account`);
      const wrong: string[] = [];
      for (const path of paths.filter((one) => !NOT_COPIED.test(one))) {
        const there = path.replace(ann.user, `/user/${copy}`).replace(`/${ann.ledgerId}`, `/${first.id}`);
        if (/\/\d+(\/|$)/.test(there.replace(/^\/user\/\d+(\/monetary-account\/\d+)?/, ""))) continue;
        const [own, copied] = [await ann.send("GET", path), await theirs.send("GET", there)];
        if (copied.status !== own.status || copied.body.length !== own.body.length)
          wrong.push(`${there}: ${copied.status}, ${copied.body.length} of ${own.body.length}`);
      }
      expect(wrong).toEqual([]);
      await requireSound();
    });

    it("schedules run on, what others have decided stays decided, and requests end on both sides", async () => {
      [ann, bob] = [await newHolder(instance), await newHolder(instance)];
      await payDaily(ann, bob, "2.00");
      const [accepted, open] = [await ask(ann, bob, "3.00"), await ask(ann, bob, "4.00")];
      const paidByAnn = await ask(bob, ann, "5.00");
      const point = await backups.pointOf(arnOf(ann), "BankUser");
      const answer = (person: BankPerson, id: number) =>
        person.done("PUT", `${person.ledger}/request-response/${id}`, { status: "ACCEPTED" });
      await answer(bob, accepted);
      await answer(ann, paidByAnn);
      const later = await ask(ann, bob, "6.00");
      expect([await ann.balance(), await bob.balance()]).toEqual(["498.00", "502.00"]);
      await backups.restoredArn(point, inPlace);
      expect([await ann.balance(), await bob.balance()]).toEqual(["500.00", "502.00"]);
      expect(await statusOf(ann, "request-inquiry", accepted)).toBe("ACCEPTED");
      expect(await statusOf(ann, "request-response", paidByAnn)).toBe("ACCEPTED");
      expect(await statusOf(ann, "request-inquiry", open)).toBe("PENDING");
      await requireSound();
      await answer(bob, open);
      expect(await statusOf(ann, "request-inquiry", open)).toBe("ACCEPTED");
      await instance().clock.advance("25h");
      expect([await ann.balance(), await bob.balance()]).toEqual(["502.00", "500.00"]);
      await instance().clock.advance("30d");
      expect(await statusOf(bob, "request-response", later)).toBe("EXPIRED");
      await requireSound();
    });

    it("what both sides get back cancels out in the account that the bank keeps for it", async () => {
      [ann, bob] = [await newHolder(instance), await newHolder(instance)];
      const points = [
        await backups.pointOf(arnOf(ann), "BankUser"),
        await backups.pointOf(arnOf(bob), "BankUser"),
      ];
      const restored = async () => {
        const { body } = await instance().bearer("GET", "/_medley/views/bank?view=Accounts");
        const isOurs = ([, user, , kind, , , balance]: unknown[]) =>
          user === 0 && kind === "restored" && String(balance).includes("EUR");
        return body.views[0].rows.find(isOurs)?.[6];
      };
      const before = await restored();
      await payTo(ann, bob, "7.00");
      await backups.restoredArn(points[0] as string, inPlace);
      expect(await restored()).not.toEqual(before);
      await backups.restoredArn(points[1] as string, inPlace);
      expect([await ann.balance(), await bob.balance()]).toEqual(["500.00", "500.00"]);
      expect(await restored()).toEqual(before);
      await requireSound();
    });

    it("a copy is another user, with accounts of its own and nobody else's access", async () => {
      [ann, bob] = [await newHolder(instance), await newHolder(instance)];
      const cardId = await ann.orderedCard({ order_status: "VIRTUAL_DELIVERY" });
      await payTo(ann, bob, "1.00", "Before");
      await ask(ann, bob, "3.00");
      await payDaily(ann, bob, "2.00");
      const point = await backups.pointOf(arnOf(ann), "BankUser");
      const arn = await backups.restoredArn(point, { userName: "Ann Again" });
      const copyId = Number(arn.split("user/")[1]);
      expect(copyId).not.toBe(ann.userId);
      const copy = await newHolder(instance);
      copy.session = (await admin("POST", `users/${copyId}/keys`, 200)).apiKey;
      const [user] = await copy.done("GET", "/user");
      expect([user.id, user.display_name, user.first_name]).toEqual([copyId, "Ann Again", "Ann"]);
      copy.userId = copyId;
      const [ledger, ...others] = await copy.done("GET", `${copy.user}/monetary-account`);
      expect([ledger.balance.value, ledger.display_name, others]).toEqual(["499.00", "Ann Again", []]);
      copy.ledgerId = ledger.id;
      const iban = ledger.alias.find(({ type }: { type: string }) => type === "IBAN").value;
      expect(iban).not.toBe(ann.iban);
      const [paid, first] = await copy.done("GET", `${copy.ledger}/payment`);
      expect([paid.description, paid.monetary_account_id, paid.alias.iban, first.description]).toEqual([
        "Before",
        ledger.id,
        iban,
        "A first deposit",
      ]);
      const [card] = await copy.done("GET", `${copy.user}/card`);
      expect(card.id).not.toBe(cardId);
      expect(card.pin_code_assignment[0].monetary_account_id).toBe(ledger.id);
      expect(await copy.done("GET", `${copy.ledger}/request-inquiry`)).toEqual([]);
      expect((await copy.done("GET", `${copy.user}/credential-password-ip`)).length).toBe(1);
      await requireSound();
      await payTo(bob, { ...copy, iban } as BankPerson, "1.00", "To the copy");
      expect([await copy.balance(), await ann.balance()]).toEqual(["500.00", "499.00"]);
      await instance().clock.advance("25h");
      expect([await copy.balance(), await ann.balance()]).toEqual(["498.00", "497.00"]);
      await admin("DELETE", `users/${copyId}`);
      await requireSound();
      expect(await ann.balance()).toBe("497.00");
    });

    it("plans find users by their tags; what cannot be restored is refused in words", async () => {
      [ann, bob] = [await newHolder(instance), await newHolder(instance)];
      const tagged = await instance().bearer("PUT", "/_medley/resources/tags", {
        body: { arn: arnOf(ann), tags: { kept: "daily" } },
      });
      expect([tagged.status, tagged.text]).toEqual([200, tagged.text]);
      const plan = await backups.well("PUT", "/backup/plans", {
        BackupPlan: {
          BackupPlanName: "users",
          Rules: [
            { RuleName: "daily", TargetBackupVaultName: "main", ScheduleExpression: "cron(0 5 ? * * *)" },
          ],
        },
      });
      await backups.well("PUT", `/backup/plans/${plan.BackupPlanId}/selections`, {
        BackupSelection: {
          SelectionName: "users",
          IamRoleArn: role,
          ListOfTags: [{ ConditionType: "STRINGEQUALS", ConditionKey: "kept", ConditionValue: "daily" }],
        },
      });
      await instance().clock.advance("25h");
      const { RecoveryPointArn: point, ResourceType } = await eventually(async () => {
        const path = `/backup-jobs?resourceArn=${encodeURIComponent(arnOf(ann))}`;
        return (await backups.all(path, "BackupJobs")).find(({ State }) => State === "COMPLETED");
      }, "the planned backup");
      expect(ResourceType).toBe("BankUser");
      const refusal = async (metadata: Record<string, string>) => {
        const job = await backups.restored(point, metadata);
        expect(job.Status).toBe("FAILED");
        return job.StatusMessage;
      };
      expect(await refusal({})).toContain("inPlace");
      expect(await refusal({ userId: "1", inPlace: "true" })).toContain(`of the user ${ann.userId}`);
      expect(await refusal({ userName: " " })).toContain("1 to 140 characters");
      expect(await refusal({ userName: "x".repeat(141) })).toContain("1 to 140 characters");
      const [address] = (await ann.done("GET", "/user"))[0].alias;
      await admin("DELETE", `users/${ann.userId}`);
      const alias = [{ type: "EMAIL", value: address.value }];
      await instance().apiKey("X-Vendor-Client-Authentication", "POST", "/bank/v1/sandbox-user-person", {
        body: { alias },
      });
      expect(await refusal({})).toContain(`${address.value} belongs to another user now`);
      expect(await backups.restoredArn(point, { userName: "n".repeat(140) })).toContain("user/");
      for (const [method, path] of [
        ["DELETE", "users/999999"],
        ["POST", "users/999999/keys"],
      ] as const)
        await admin(method, path, 404);
      await requireSound();
    });
  },
  { services: ["bank", "backup"], bankRateLimit: 0 },
);
