/** Schemas of job collections: plan, quota and state. */
import { type Static, Type } from "@sinclair/typebox";
import { location, oneOf, tagChanges, tags, trackedAnswer } from "#kernel/resource-provider";
import { byKind, changesOf, described, given, reportedAs, ruled, says, words } from "#kernel/shape";
import {
  COLLECTION_STATES,
  COUNT_MAX,
  type CollectionPlan,
  type CollectionQuota,
  DEFAULT_PLAN,
  FREQUENCIES,
  isMoreFrequentThanPlan,
  PLANS,
  planLimits,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { about, optionalText } from "./members.ts";
import { frequencyMembers } from "./recurrence.ts";

export const STATE_SAYS = "must be Enabled or Disabled; other states are set by the service";

const planName = () => described(words(PLANS), "The plan; Standard when left out.", "Standard");
const maxRecurrence = described(
  byKind(
    "frequency",
    FREQUENCIES.map((frequency) => Type.Object(frequencyMembers(frequency, 5))),
  ),
  "How often a job may run at most.",
  { frequency: "Minute", interval: 5 },
);
const jobCountMax = Math.max(...Object.values(planLimits).map(({ jobsMax }) => jobsMax));
const quota = Type.Object({
  maxJobCount: given(
    Type.Integer({ minimum: 1, maximum: jobCountMax, ...about("How many jobs there may be.", 10) }),
  ),
  maxJobOccurrence: given(
    Type.Integer({ minimum: 1, maximum: COUNT_MAX, ...about("How often one job may run in all.", 1_000) }),
  ),
  maxRecurrence: given(maxRecurrence),
});

type Planned = {
  readonly sku?: { readonly name?: CollectionPlan };
  readonly quota?: CollectionQuota;
};
const planOf = ({ sku }: Planned): CollectionPlan => sku?.name ?? DEFAULT_PLAN;

/** A quota can only be stricter than its plan. */
const properties = ruled(
  Type.Object(
    {
      sku: given(described(Type.Object({ name: given(planName()) }), "The plan.", { name: "Standard" })),
      state: given(
        says(
          described(
            words(COLLECTION_STATES),
            "Enabled when left out; Disabled stops all jobs until it is enabled again.",
            "Enabled",
          ),
          STATE_SAYS,
        ),
      ),
      quota: given(
        described(quota, "What the jobs of the collection may use, within the plan.", { maxJobCount: 10 }),
      ),
    },
    {
      description: "The plan of the collection, whether its jobs run, and how many there may be.",
      examples: [
        {
          sku: { name: "Standard" },
          state: "Enabled",
          quota: { maxJobCount: 10, maxRecurrence: { frequency: "Minute", interval: 5 } },
        },
      ],
    },
  ),
  {
    name: "jobCountWithinPlan",
    says: "must not be more than the plan allows",
    of: ["sku", "quota.maxJobCount"],
    at: "quota.maxJobCount",
    check(value: Planned) {
      const { jobsMax } = planLimits[planOf(value)];
      const isWithin = (value.quota?.maxJobCount ?? 0) <= jobsMax;
      return isWithin || `must be a whole number from 1 to ${jobsMax} in the plan ${planOf(value)}`;
    },
  },
  {
    name: "recurrenceWithinPlan",
    says: "must not be more frequent than the plan allows",
    of: ["sku", "quota.maxRecurrence"],
    at: "quota.maxRecurrence",
    check(value: Planned) {
      const { frequency, interval } = planLimits[planOf(value)].maxRecurrence;
      const wanted = value.quota?.maxRecurrence;
      return (
        wanted === undefined ||
        !isMoreFrequentThanPlan(planOf(value), wanted) ||
        `is more frequent than the plan ${planOf(value)} allows, which is once every ${interval} ${frequency}`
      );
    },
  },
);
export const collectionProperties = reportedAs(errors.invalidJobCollection, properties);
export type GivenCollection = Static<typeof collectionProperties>;

/** Read-only members that clients send back. They are ignored. */
export const echoedOf = (id: string, name: string, type: string) => ({
  id: echoed(id),
  name: echoed(name),
  type: echoed(type),
});
const echoed = (example: string) =>
  optionalText("Ignored. It may be sent back as it was read.", example, 2_048);
export const COLLECTION_ID =
  "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/web-shop/providers/Vendor.Scheduler/jobCollections/nightly-work";
export const COLLECTION_TYPE = "Vendor.Scheduler/jobCollections";
const echoedCollection = echoedOf(COLLECTION_ID, "nightly-work", COLLECTION_TYPE);

export const collectionPut = Type.Object({
  ...echoedCollection,
  location,
  tags: Type.Optional(tags),
  properties: Type.Optional(collectionProperties),
});
export const collectionPatch = Type.Object({
  ...echoedCollection,
  location: optionalText("Where the collection is; it cannot be changed.", "westeurope"),
  tags: Type.Optional(tagChanges),
  properties: Type.Optional(changesOf(collectionProperties)),
});

export const collectionAnswer = trackedAnswer({
  properties: Type.Object(
    {
      sku: described(
        Type.Object({ name: described(oneOf(...PLANS), "The plan.", "Standard") }),
        "The plan.",
        {
          name: "Standard",
        },
      ),
      state: described(
        oneOf(...COLLECTION_STATES),
        "Whether the jobs run; Deleted while the collection is being deleted.",
        "Enabled",
      ),
      quota: Type.Object(
        {
          maxJobCount: Type.Integer(about("How many jobs there may be.", 50)),
          maxJobOccurrence: Type.Optional(Type.Integer(about("How often one job may run in all.", 1_000))),
          maxRecurrence: Type.Object(
            {
              frequency: described(oneOf(...FREQUENCIES), "What the interval counts.", "Minute"),
              interval: Type.Integer(about("How many of these lie between two runs at least.", 1)),
            },
            about("How often a job may run at most.", { frequency: "Minute", interval: 1 }),
          ),
        },
        about("What the jobs of the collection may use.", {
          maxJobCount: 50,
          maxRecurrence: { frequency: "Minute", interval: 1 },
        }),
      ),
    },
    { description: "The plan of the collection, whether its jobs run, and how many there may be." },
  ),
});
