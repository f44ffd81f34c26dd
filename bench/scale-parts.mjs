/**
 * The tables that bench/scale.mjs fills and the requests that it measures. `tables`: rows are copies of the pattern, with
 * `changed` columns as expressions of their number `n`. `prepare` makes the patterns and may return what `lines` needs.
 */
import { makePeople, paymentOf } from "./lines/bank.mjs";
import { bodyOf, Caller, makeModel } from "./lines/events.mjs";
import { apiKey, token } from "./load.mjs";
import { ask, json, signed } from "./requests.mjs";

const bearer = { authorization: `Bearer ${token}`, ...json };
let made = 0;
const padded = (number, length) => String(number).padStart(length, "0");
const anyOf = (count) => Math.floor(Math.random() * count);

const OWN = "account = '111111111111'";
const ASSIGNMENTS = 50;
const USERS = 20_000;
const collection = "/contributions/1/contributions";
const contributions = {
  tables: {
    /** 4096 places are a millisecond; one contribution comes every six seconds. */
    contributions_contribution: {
      changed: {
        place: "p.place - (20000000 - n) * 25165824",
        id: "'c' || lpad(n::text, 22, '0')",
        assignment_id: `'asg_' || lpad((n % ${ASSIGNMENTS})::text, 20, '0')`,
        user_id: `'usr_' || lpad(((n * 7919) % ${USERS})::text, 20, '0')`,
        headline: "'word' || (n * 31) % 30000 || ' word' || (n * 17) % 3000 || ' word' || n % 300",
        words: "'word' || (n * 31) % 30000 || ' word' || (n * 17) % 3000 || ' word' || n % 300",
        url_words: "'word-' || n",
      },
      pattern: "SELECT * FROM contributions_contribution ORDER BY place DESC LIMIT 1",
    },
  },
  also: ["contributions_fts"],
  fixed: {
    contributions_assignment: {
      changed: { id: "'asg_' || lpad(n::text, 20, '0')", url_words: "'assignment-' || n" },
      pattern: "SELECT * FROM contributions_assignment LIMIT 1",
      count: ASSIGNMENTS,
    },
  },
  plans: {
    "page of a user": `SELECT * FROM contributions_contribution WHERE ${OWN}
      AND user_id = 'usr_00000000000000000007' ORDER BY place DESC LIMIT 11`,
    "page of a rare word": `SELECT c.* FROM contributions_fts f JOIN contributions_contribution c USING (place)
      WHERE f.words @@ '111111111111word31'::tsquery ORDER BY place DESC LIMIT 11`,
    "point read": "SELECT * FROM contributions_contribution WHERE id = 'c0000000000000000000007'",
  },
  async prepare(product) {
    const post = (path, body) =>
      ask(product, { method: "POST", path, headers: bearer, body: JSON.stringify(body) });
    const { id } = await post("/contributions/1/assignments", { name: "Street life", moderation: "after" });
    await post(collection, { assignment: { id }, headline: "The water is still rising" });
  },
  /** What triggers would do for each row: the index of words, and the stamps of stretches of time. */
  filled: [
    `INSERT INTO contributions_fts (place, words) SELECT place, contributions_fts_entry(account, words)
     FROM contributions_contribution ON CONFLICT DO NOTHING`,
    `INSERT INTO contributions_stamp SELECT DISTINCT account, kind, place / size, 0, 1
     FROM contributions_contribution,
     (VALUES ('long', 1099511627776), ('short', 17179869184)) kinds (kind, size) ON CONFLICT DO NOTHING`,
  ],
  lines(count) {
    const get = (path) => ({ path: `${collection}${path}`, headers: bearer });
    return {
      "first page": () => get(""),
      "page of an assignment": () => get(`?assignment=asg_${padded(anyOf(ASSIGNMENTS), 20)}`),
      "page of a user": () => get(`?user=usr_${padded(anyOf(USERS), 20)}`),
      "page of a rare word": () => get(`?q=word${(anyOf(count) * 31) % 30_000}`),
      "point read": () => get(`/c${padded(anyOf(count), 22)}`),
      create: () => ({
        method: "POST",
        path: collection,
        headers: bearer,
        body: JSON.stringify({
          assignment: { id: `asg_${padded(0, 20)}` },
          headline: `Rising water ${made++}`,
        }),
      }),
    };
  },
};

const messageFor = (key) => {
  const payload = Buffer.from(JSON.stringify({ motorid: key, pressure: 31 })).toString("base64");
  made += 1;
  return JSON.stringify({ messages: [{ messageId: `new${made}`, inputName: "BenchInput", payload }] });
};
const detectors = {
  tables: {
    events_instance: {
      changed: { key: "'d' || lpad(n::text, 12, '0')", shard: "n % 16" },
      pattern: "SELECT * FROM events_instance LIMIT 1",
    },
  },
  async prepare(product) {
    const caller = new Caller(product.url);
    await makeModel(caller);
    await ask(product, signed("iotevents", "POST", "/events/inputs/messages", bodyOf(1)));
    await caller.untilEvaluated();
  },
  lines(count) {
    const events = (path) => signed("iotevents", "GET", `/events/detectors/bench${path}`);
    return {
      "first page": () => events(""),
      "point read": () => events(`/keyValues/?keyValue=d${padded(anyOf(count), 12)}`),
      create: () => signed("iotevents", "POST", "/events/inputs/messages", messageFor(`n${made}`)),
    };
  },
};

/** An account may have 100,000 groups in a region. */
const GROUPS_HERE = 90_000;
const QUERY = {
  Type: "TAG_FILTERS_1_0",
  Query: JSON.stringify({
    ResourceTypeFilters: ["AWS::AllSupported"],
    TagFilters: [{ Key: "stage", Values: ["bench"] }],
  }),
};
const groups = {
  tables: {
    resource_groups_group: {
      changed: {
        name: "'g' || lpad(n::text, 12, '0')",
        unique_id: "'u' || n",
        region: `CASE WHEN n < ${GROUPS_HERE} THEN p.region ELSE 'region-' || n / ${GROUPS_HERE} END`,
      },
      pattern: "SELECT * FROM resource_groups_group LIMIT 1",
    },
  },
  async prepare(product) {
    const group = JSON.stringify({ Name: "pattern", ResourceQuery: QUERY });
    await ask(product, signed("resource-groups", "POST", "/resource-groups/groups", group));
  },
  lines() {
    const group = (path, body) =>
      signed("resource-groups", "POST", `/resource-groups${path}`, JSON.stringify(body));
    return {
      "first page": () => group("/groups-list", {}),
      "point read": () => group("/get-group", { GroupName: `g${padded(anyOf(GROUPS_HERE), 12)}` }),
      create: () => group("/groups", { Name: `new-${made++}`, ResourceQuery: QUERY }),
    };
  },
};

/** One payment of a hundred belongs to the account that asks; the others to as many accounts as a bank has. */
const OWN_SHARE = 100;
const OTHER_LEDGERS = 50_000;
const FIRST_ID = 1_000_000;
const LAST_ID = 1_000_000_000;
const otherLedger = `2000000000 + n % ${OTHER_LEDGERS}`;
const ownOrOther = `CASE WHEN n % ${OWN_SHARE} = 0 THEN p.ledger_id ELSE ${otherLedger} END`;
const oldest = (table) => `SELECT * FROM ${table} WHERE id < ${FIRST_ID} ORDER BY id DESC LIMIT 1`;
const payments = {
  tables: {
    bank_movement: { changed: { id: `${FIRST_ID} + n` }, pattern: oldest("bank_movement") },
    bank_payment: {
      changed: { id: `${FIRST_ID} + n`, ledger_id: ownOrOther, movement_id: `${FIRST_ID} + n` },
      pattern: `SELECT * FROM bank_payment WHERE id < ${FIRST_ID} AND amount < 0 ORDER BY id DESC LIMIT 1`,
    },
    bank_entry: {
      changed: { ledger_id: otherLedger, serial: "n", movement_id: `${FIRST_ID} + n` },
      pattern: `SELECT * FROM bank_entry WHERE movement_id < ${FIRST_ID} ORDER BY movement_id DESC LIMIT 1`,
    },
  },
  async prepare(product) {
    const [from, to] = await makePeople(product, 2);
    await ask(product, paymentOf(from, to));
    return { from, to };
  },
  filled: [
    // New payments come behind all of them, also behind those that are filled in later.
    `UPDATE bank_sequence SET next = GREATEST(next, ${LAST_ID})`,
  ],
  lines(count, { from, to }) {
    const { userId, ledgerId, headers } = from;
    const path = `/bank/v1/user/${userId}/monetary-account/${ledgerId}/payment`;
    const own = () => FIRST_ID + OWN_SHARE * anyOf(count / OWN_SHARE);
    return {
      "first page": () => ({ path, headers }),
      "page in the middle": () => ({ path: `${path}?older_id=${own()}`, headers }),
      "point read": () => ({ path: `${path}/${own()}`, headers }),
      create: () => paymentOf(from, to),
    };
  },
};

const EPISODES_EACH = 100;
const HOUR_MS = 3_600_000;
const key = { "x-vendor-api-key": apiKey };
const feed = () => {
  made += 1;
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Show ${made}</title>
    <link>https://show${made}.example.org/</link><description>A show about gardens</description><item>
    <title>Episode one</title><guid isPermaLink="false">${made}</guid>
    <pubDate>Mon, 02 Jun 2025 10:00:00 GMT</pubDate>
    <enclosure url="https://audio.example.org/${made}.mp3" length="1" type="audio/mpeg"/></item></channel></rss>`;
};
const newFeed = () => ({
  method: "POST",
  path: `/podcasts/api/v2/feeds?name=${made}.xml`,
  headers: { ...key, "content-type": "application/xml" },
  body: feed(),
});
const idOf = (kind, number) => `'${kind}' || lpad((${number})::text, 31, '0')`;
const episodes = {
  tables: {
    podcasts_podcast: {
      changed: { id: idOf("p", "n") },
      pattern: "SELECT * FROM podcasts_podcast WHERE id NOT LIKE 'p%' LIMIT 1",
      every: EPISODES_EACH,
    },
    podcasts_episode: {
      changed: {
        id: idOf("e", "n"),
        podcast_id: idOf("p", `n / ${EPISODES_EACH}`),
        guid: "'guid-' || n",
        pub_date_ms: `p.pub_date_ms - (n % ${EPISODES_EACH}) * ${HOUR_MS}`,
      },
      pattern: "SELECT * FROM podcasts_episode WHERE id NOT LIKE 'e%' LIMIT 1",
    },
  },
  prepare: (product) => ask(product, newFeed()),
  lines(count) {
    const get = (path) => ({ path: `/podcasts/api/v2${path}`, headers: key });
    return {
      "page of a podcast": () => get(`/podcasts/p${padded(anyOf(count / EPISODES_EACH), 31)}`),
      "point read": () => get(`/episodes/e${padded(anyOf(count), 31)}`),
      "create (a feed with one)": newFeed,
    };
  },
};

export const parts = { contributions, detectors, groups, payments, episodes };
