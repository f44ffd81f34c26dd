/** Queues and topics that are registered: what a job names and shows is checked, and what it sends can be received. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { firingStage, schedulerServices } from "../../../tests/support/scheduler.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const TOKEN = "sv=2020-08-04&sp=a&sig=a-long-signature";

onBothDatabases(
  "a job that sends messages",
  (instance) => {
    const { put, history, advance, outbox } = firingStage(instance);
    const register = async (type: string, name: string, details: Record<string, unknown>) => {
      const arn = `arn:vendor:receivers:us-east-1:123456789012:${name}`;
      const { status, text } = await instance().bearer("PUT", "/_medley/resources", {
        body: { arn, type, name, details },
      });
      expect(status, text).toBe(200);
    };
    const storage = (storageAccount: string, queueName: string, sasToken?: string) => ({
      type: "StorageQueue",
      queueMessage: { storageAccount, queueName, message: `to ${storageAccount}`, sasToken },
    });
    const bus = (namespace: string, to: { queueName: string } | { topicPath: string }, sasKey?: string) => {
      const authentication = sasKey && { type: "SharedAccessKey", sasKeyName: "sender", sasKey };
      const message = { namespace, message: "m", authentication, ...to };
      return "queueName" in to
        ? { type: "ServiceBusQueue", serviceBusQueueMessage: message }
        : { type: "ServiceBusTopic", serviceBusTopicMessage: message };
    };
    const outcomeOf = async (name: string, action: Record<string, unknown>) => {
      await put(name, { action: { ...action, retryPolicy: { retryType: "None" } } });
      await advance(0);
      const [entry] = await history(name);
      return [entry?.status, entry?.message];
    };

    it("takes every receiver to be there while none is registered", async () => {
      expect(await outcomeOf("any", storage("anywhere", "q"))).toEqual([
        "Completed",
        "The message was put into the storage queue anywhere/q.",
      ]);
      expect((await outcomeOf("any-bus", bus("anywhere", { topicPath: "t" })))[0]).toBe("Completed");
    });

    it("does not send with a token that is over, or that allows something else", async () => {
      const over = "sv=2020-08-04&sp=a&se=2001-01-01T00%3A00%3A00Z&sig=x";
      expect(await outcomeOf("over", storage("anywhere", "q", over))).toEqual([
        "Failed",
        "The token for the storage account anywhere was good until 2001-01-01T00:00:00Z.",
      ]);
      expect(await outcomeOf("reads", storage("anywhere", "q", "sp=rl&sig=x"))).toEqual([
        "Failed",
        "The token for the storage account anywhere does not allow messages to be added.",
      ]);
    });

    it("can be received by waiting for the queue", async () => {
      const waiting = instance().bearer("GET", "/_medley/outbox?kind=queue&target=waited/alarms&wait=20s");
      expect((await outcomeOf("waited", storage("waited", "alarms")))[0]).toBe("Completed");
      expect((await waiting).body.messages).toMatchObject([{ target: "waited/alarms", body: "to waited" }]);
    });

    it("finds the receivers that are registered, and no others", async () => {
      await register("Vendor::Storage::StorageAccount", "office", {
        queues: ["alarms"],
        sasTokens: [sha256(TOKEN)],
      });
      await register("Vendor::ServiceBus::Namespace", "bus", {
        queues: ["work"],
        topics: ["news"],
        keys: { sender: sha256("right-key") },
      });
      const cases: [string, Record<string, unknown>, string][] = [
        ["account", storage("elsewhere", "alarms", TOKEN), "No storage account elsewhere is registered."],
        ["queue", storage("office", "bells", TOKEN), "The storage account office has no queue bells."],
        [
          "token",
          storage("office", "alarms", "sig=other"),
          "The storage account office does not know the token.",
        ],
        [
          "none",
          storage("office", "alarms"),
          "The storage account office needs a token, and the job has none.",
        ],
        [
          "namespace",
          bus("other", { queueName: "work" }, "k"),
          "No service-bus namespace other is registered.",
        ],
        [
          "busqueue",
          bus("bus", { queueName: "play" }, "k"),
          "The service-bus namespace bus has no queue play.",
        ],
        ["topic", bus("bus", { topicPath: "work" }, "k"), "The service-bus namespace bus has no topic work."],
        [
          "key",
          bus("bus", { topicPath: "news" }, "wrong-key"),
          "The service-bus namespace bus does not know the key sender.",
        ],
        [
          "nokey",
          bus("bus", { topicPath: "news" }),
          "The service-bus namespace bus needs a shared access key, and the job has none.",
        ],
      ];
      const before = [...(await outbox("queue")), ...(await outbox("topic"))].length;
      for (const [name, action, message] of cases)
        expect(await outcomeOf(name, action)).toEqual(["Failed", message]);
      expect([...(await outbox("queue")), ...(await outbox("topic"))]).toHaveLength(before);
      for (const [name, action] of Object.entries({
        fits: storage("Office", "Alarms", TOKEN),
        "fits-bus": bus("bus", { queueName: "work" }, "right-key"),
        "fits-topic": bus("bus", { topicPath: "news" }, "right-key"),
      }))
        expect((await outcomeOf(name, action))[0]).toBe("Completed");
    });
  },
  { services: schedulerServices },
);
