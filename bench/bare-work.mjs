/**
 * The necessary work of each line: which credential is checked, which rows are read and written. `read`, `write` and `copies`
 * prepare a statement and return what runs it; `answered` is the product's answer with the members that differ.
 */
import { createHash, randomUUID } from "node:crypto";

const ACCOUNT = "111111111111";
let last = Date.now() * 1000;
const fresh = () => (last += 1);
/** Ids in order, as the product's are, with a random part. */
const freshId = () => `${fresh().toString(32)}${randomUUID().slice(0, 8)}`;

export const makers = {
  insert({ copies, answered }) {
    const note = copies("sample_key_note", ({ id, body: { text } }) => ({ id, text }));
    return {
      check: "key",
      status: 201,
      write(body) {
        const id = freshId();
        note({ id, body });
        return answered({ id, text: body.text });
      },
    };
  },
  groupCreate({ copies, read, answered, answer }) {
    const group = copies("resource_groups_group", (name) => ({ name, unique_id: randomUUID() }));
    const type = copies("resource_groups_group_type", (name) => ({ name }));
    const resource = copies("medley_resource", (name, _at, row) => ({
      name,
      arn: `${row.arn.slice(0, row.arn.lastIndexOf("/"))}/${name}`,
    }));
    const watches = read("SELECT * FROM medley_resource_watch WHERE account = ?");
    return {
      check: "signed",
      write({ Name }) {
        for (const insert of [group, type, resource]) insert(Name);
        watches(ACCOUNT);
        return answered({ Group: { ...answer.Group, Name } });
      },
    };
  },
  groupRead({ read, answered, answer }) {
    const find = read("SELECT * FROM resource_groups_group WHERE account = ? AND region = ? AND name = ?");
    return {
      check: "signed",
      read({ GroupName }) {
        const [{ name }] = find(ACCOUNT, "us-east-1", GroupName);
        return answered({ Group: { ...answer.Group, Name: name } });
      },
    };
  },
  storePut({ read, write, answered, answer }) {
    const find = storeFinder(read);
    const update = write(
      "UPDATE medley_managed_resource SET location = ?, envelope = ?, etag = ?, updated_at = ? WHERE account = ? AND key = ?",
    );
    const parent = read("SELECT name, state FROM medley_managed_resource WHERE account = ? AND key = ?");
    return {
      check: "bearer",
      write({ location, sku }) {
        const [row] = find(ACCOUNT, answer.id.toLowerCase());
        parent(ACCOUNT, "/subscriptions/bench/resourcegroups/bench");
        update(location, JSON.stringify({ sku }), `"${freshId()}"`, Date.now(), ACCOUNT, row.key);
        return answered({ tags: JSON.parse(row.tags), ...JSON.parse(row.envelope) });
      },
    };
  },
  storeRead({ read, answered, answer }) {
    const find = storeFinder(read);
    return {
      check: "bearer",
      read() {
        const [row] = find(ACCOUNT, answer.id.toLowerCase());
        return answered({ tags: JSON.parse(row.tags), ...JSON.parse(row.envelope) });
      },
    };
  },
  contribution({ copies, read, answered, answer }) {
    const assignment = read("SELECT * FROM contributions_assignment WHERE account = ? AND id = ?");
    const contribution = copies("contributions_contribution", ({ id, body: { headline } }) => ({
      id,
      place: fresh(),
      headline,
      words: headline.toLowerCase(),
      via: JSON.stringify(answer.via),
    }));
    const change = copies("contributions_change", ({ id }) => ({ id: freshId(), record_id: id }));
    return {
      check: "bearer",
      write(body) {
        const [row] = assignment(ACCOUNT, body.assignment.id);
        const id = freshId();
        contribution({ id, body });
        change({ id });
        const { headline } = body;
        const shown = { ...answer.assignment, name: row.name };
        return answered({ id, headline, assignment: shown });
      },
    };
  },
  vault({ read, answered }) {
    const find = read("SELECT * FROM backup_vault WHERE account = ? AND region = ? AND name = ?");
    return {
      check: "signed",
      read() {
        const [{ name }] = find(ACCOUNT, "us-east-1", "bench");
        return answered({ BackupVaultName: name });
      },
    };
  },
  userinfo({ read, answered, answer }) {
    const find = read("SELECT * FROM identity_user WHERE id = ?");
    return {
      check: "none",
      read() {
        const [{ profile, email }] = find(answer.sub);
        return answered({ name: JSON.parse(profile).name, email });
      },
    };
  },
  event: makeEvents,
  payment: makePayments,
};
const storeFinder = (read) => read("SELECT * FROM medley_managed_resource WHERE account = ? AND key = ?");

/** A message is written, and evaluated in the next commit: its detector is read, changed and written. */
function makeEvents({ copies, read, write, transact, answered }) {
  const route = read("SELECT * FROM events_route WHERE account = ? AND region = ? AND input = ?");
  const conflict =
    "ON CONFLICT (account, region, input, message_id) DO UPDATE SET seen_at = excluded.seen_at";
  const seen = copies("events_seen", (message_id) => ({ message_id, seen_at: Date.now() }), { conflict });
  const message = write(
    "INSERT INTO events_message (account, shard, id, model_id, key, input, message_id, payload, depth) VALUES (?, 0, ?, ?, ?, ?, ?, ?, 0)",
  );
  const detector = read(
    "SELECT * FROM events_instance WHERE account = ? AND model_id = ? AND version = 1 AND key = ?",
  );
  const update = write(
    "UPDATE events_instance SET state = ?, recent = ?, updated_at = ? WHERE account = ? AND model_id = ? AND version = 1 AND key = ?",
  );
  const remove = write("DELETE FROM events_message WHERE account = ? AND shard = 0 AND id <= ?");
  let waiting = [];
  const evaluate = () => {
    for (const { model, key, payload } of waiting) {
      const [row] = detector(ACCOUNT, model, key);
      const state = { ...JSON.parse(row.state), inputs: { BenchInput: payload } };
      update(JSON.stringify(state), row.recent, Date.now(), ACCOUNT, model, key);
    }
    remove(ACCOUNT, waiting.at(-1).id);
    waiting = [];
  };
  return {
    check: "signed",
    write({ messages: [{ messageId, inputName, payload: encoded }] }) {
      const text = Buffer.from(encoded, "base64").toString();
      const payload = JSON.parse(text);
      const [{ model_id: model }] = route(ACCOUNT, "us-east-1", inputName);
      seen(`${messageId} ${createHash("sha256").update(text).digest("base64url")}`);
      const id = freshId();
      message(ACCOUNT, id, model, payload.motorid, inputName, messageId, text);
      if (waiting.push({ id, model, key: payload.motorid, payload }) === 1)
        setImmediate(() => transact(evaluate, () => {}));
      return answered({});
    },
  };
}

/** Both sides of a payment: entries, balances, payments and events; `ledgers` are the two of the pattern rows. */
function makePayments({ copies, read, write, answered }) {
  const alias = read("SELECT * FROM bank_alias WHERE account = ? AND type = 'IBAN' AND value = ?");
  const session = read("SELECT * FROM bank_session WHERE hash = ?");
  const ledger = read("SELECT * FROM bank_ledger WHERE account = ? AND id = ?");
  const user = read("SELECT * FROM bank_user WHERE account = ? AND id = ?");
  const [{ hash }] = read("SELECT * FROM bank_session ORDER BY rowid DESC LIMIT 1")();
  const next = read("UPDATE bank_sequence SET next = next + 5 WHERE account = ? RETURNING next");
  const movement = copies("bank_movement", ({ first }) => ({ id: first, created_at: Date.now() }));
  const twice = { count: 2 };
  const entry = copies(
    "bank_entry",
    ({ first, sides }, at) => ({
      ledger_id: sides[at].id,
      serial: sides[at].serial,
      movement_id: first,
      balance_after: sides[at].balance,
    }),
    twice,
  );
  const payment = copies(
    "bank_payment",
    ({ first, sides }, at) => ({
      id: first + 1 + at,
      ledger_id: sides[at].id,
      movement_id: first,
      alias: JSON.stringify({ iban: sides[at].iban, display_name: sides[at].owner }),
      counterparty: JSON.stringify({ iban: sides[1 - at].iban, display_name: sides[1 - at].owner }),
    }),
    twice,
  );
  const event = copies(
    "bank_event",
    ({ first, sides }, at) => ({ id: first + 3 + at, ledger_id: sides[at].id, object_id: first + 1 + at }),
    twice,
  );
  const insight = copies("bank_insight", () => ({}), {
    count: 2,
    conflict:
      "ON CONFLICT (account, user_id, hour_at, category, currency) DO UPDATE SET amount = bank_insight.amount + excluded.amount, count = bank_insight.count + excluded.count",
  });
  const balance = write(
    "UPDATE bank_ledger SET balance = ?, serial = ?, spent = ? WHERE account = ? AND id = ?",
  );
  const side = (id, amount, iban) => {
    const [row] = ledger(ACCOUNT, id);
    const [{ display_name: owner }] = user(ACCOUNT, row.user_id);
    return { id, iban, owner, spent: row.spent, serial: row.serial + 1, balance: row.balance + amount };
  };
  return {
    check: "none",
    isSignedBothWays: true,
    write({ amount, counterparty_alias: { value } }, [, payer]) {
      session(hash);
      const cents = Math.round(Number(amount.value) * 100);
      const [{ ledger_id: payee }] = alias(ACCOUNT, value);
      const [{ next: after }] = next(ACCOUNT);
      const first = after - 4;
      const sides = [side(Number(payer), -cents, ""), side(payee, cents, value)];
      for (const insert of [movement, entry, payment, event, insight]) insert({ first, sides });
      for (const one of sides) balance(one.balance, one.serial, one.spent, ACCOUNT, one.id);
      return answered({ id: first + 1 });
    },
  };
}
