/** Alarms and what leaves models, over HTTP, on both databases. */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { account, alarmRule, base64, Events, motorModel, role } from "../../../tests/support/events.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { startHttpReceiver } from "../../../tests/support/http-receiver.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "alarms",
  (instance) => {
    const events = new Events(instance);
    const act = (action: string, member: string, ...entries: object[]) =>
      events.data("POST", `/alarms/${action}`, {
        [member]: entries.map((entry, at) => ({
          requestId: `r${at}`,
          alarmModelName: "pressures",
          keyValue: "a",
          ...entry,
        })),
      });
    beforeAll(async () => {
      await events.createInput();
      await events.createAlarmModel("pressures", {
        alarmNotification: {
          notificationActions: [
            {
              action: {
                lambdaAction: { functionArn: `arn:vendor:lambda:us-east-1:${account}:function:notify` },
              },
              emailConfigurations: [
                {
                  from: "alarms@example.org",
                  content: { subject: "Pressure", additionalMessage: "Look at it." },
                  recipients: { to: [{ ssoIdentity: { identityStoreId: "d-1", userId: "ann" } }] },
                },
              ],
              smsConfigurations: [
                { recipients: [{ ssoIdentity: { identityStoreId: "d-1", userId: "ben" } }] },
              ],
            },
          ],
        },
        alarmEventActions: { alarmActions: [{ iotTopicPublish: { mqttTopic: "alarms/pressure" } }] },
      });
    });

    it("follows the rule, is acknowledged, latches, and tells people", async () => {
      await events.pressure("a", 60);
      await events.isAlarmIn("pressures", "a", "NORMAL");
      await events.pressure("a", 80);
      const active = await events.isAlarmIn("pressures", "a", "ACTIVE");
      expect(active).toMatchObject({
        alarmModelName: "pressures",
        alarmModelVersion: "1",
        keyValue: "a",
        severity: 3,
        alarmState: {
          ruleEvaluation: {
            simpleRuleEvaluation: { inputPropertyValue: "80", operator: "GREATER", thresholdValue: "70" },
          },
        },
      });
      const acknowledged = await act("acknowledge", "acknowledgeActionRequests", { note: "seen" });
      expect([acknowledged.status, acknowledged.body]).toEqual([202, { errorEntries: [] }]);
      const seen = await events.alarm("pressures", "a");
      expect(seen.alarmState).toMatchObject({
        stateName: "ACKNOWLEDGED",
        customerAction: { actionName: "ACKNOWLEDGE", acknowledgeActionConfiguration: { note: "seen" } },
      });
      for (const kind of ["mail", "text", "function", "topic"])
        await eventually(async () => (await events.outbox(kind)).length > 0, `a ${kind} was sent`);
      const [mail] = (await events.outbox("mail")).filter(({ body }: any) => String(body).includes("80"));
      expect(mail).toMatchObject({ target: "ann", subject: "Pressure" });
    });

    it.each([
      ["disable", "disableActionRequests", "DISABLED"],
      ["enable", "enableActionRequests", "NORMAL"],
      ["acknowledge", "acknowledgeActionRequests", "ACKNOWLEDGED"],
      ["reset", "resetActionRequests", "NORMAL"],
    ])("goes where %s leads", async (action, member, stateName) => {
      await events.pressure("a", 60);
      await eventually(
        async () => (await events.alarm("pressures", "a")) !== undefined,
        "the alarm is there",
      );
      const { status, body } = await act(
        action,
        member,
        {},
        { keyValue: "nobody" },
        { alarmModelName: "nothing" },
        { requestId: "r0" },
      );
      expect(status).toBe(202);
      expect(body.errorEntries.map((one: any) => `${one.requestId} ${one.errorCode}`)).toEqual([
        "r1 ResourceNotFoundException",
        "r2 ResourceNotFoundException",
        "r0 InvalidRequestException",
      ]);
      expect((await events.alarm("pressures", "a")).alarmState).toMatchObject({
        stateName,
        customerAction: { actionName: action.toUpperCase() },
      });
      expect((await act(action, member, { keyValue: "nobody" })).status).toBe(200);
      expect((await events.data("POST", `/alarms/${action}`, { [member]: [] })).status).toBe(400);
    });

    it("wakes from a snooze by itself, into the state that the rule has then", async () => {
      await instance().clock.freeze();
      await act("enable", "enableActionRequests", {});
      const { status } = await act("snooze", "snoozeActionRequests", { snoozeDuration: 600, note: "later" });
      expect(status).toBe(202);
      const snoozed = await events.alarm("pressures", "a");
      expect(snoozed.alarmState).toMatchObject({
        stateName: "SNOOZE_DISABLED",
        customerAction: { snoozeActionConfiguration: { snoozeDuration: 600, note: "later" } },
      });
      await events.pressure("a", 99);
      await instance().clock.advance("9m");
      expect((await events.alarm("pressures", "a")).alarmState.stateName).toBe("SNOOZE_DISABLED");
      await instance().clock.advance("1m");
      const awake = await events.isAlarmIn("pressures", "a", "ACTIVE");
      expect(awake.alarmState.systemEvent).toEqual({
        eventType: "STATE_CHANGE",
        stateChangeConfiguration: { triggerType: "SNOOZE_TIMEOUT" },
      });
      await instance().clock.resume();
      expect((await act("snooze", "snoozeActionRequests", {})).status).toBe(400);
      const unknown = { keyValue: "nobody", snoozeDuration: 60 };
      expect((await act("snooze", "snoozeActionRequests", unknown)).status).toBe(200);
    });

    it("lists alarms in pages", async () => {
      for (const key of ["b", "c"]) await events.pressure(key, 1);
      for (const key of ["b", "c"]) await events.isAlarmIn("pressures", key, "NORMAL");
      const first = await events.data("GET", "/alarms/pressures?maxResults=2");
      expect(first.body.alarmSummaries).toMatchObject([
        { keyValue: "a", alarmModelVersion: "1", stateName: "ACTIVE" },
        { keyValue: "b", stateName: "NORMAL" },
      ]);
      const next = encodeURIComponent(first.body.nextToken);
      const second = await events.data("GET", `/alarms/pressures?nextToken=${next}`);
      expect(second.body).toMatchObject({ alarmSummaries: [{ keyValue: "c" }] });
      expect((await events.data("GET", "/alarms/pressures?nextToken=x")).status).toBe(400);
      for (const path of ["/alarms/none", "/alarms/none/keyValues", "/alarms/pressures/keyValues?keyValue=z"])
        expect((await events.data("GET", path)).status).toBe(404);
    });

    it("compares with a property of the message as well", async () => {
      await events.createInput("Limits", { attributes: [{ jsonPath: "value" }, { jsonPath: "limit" }] });
      await events.createAlarmModel("limits", {
        key: undefined,
        alarmRule: {
          simpleRule: {
            inputProperty: "$input.Limits.value",
            comparisonOperator: "LESS_OR_EQUAL",
            threshold: "$input.Limits.limit",
          },
        },
        alarmCapabilities: { initializationConfiguration: { disabledOnInitialization: false } },
      });
      const put = (payload: object) =>
        events.data("POST", "/inputs/messages", {
          messages: [{ messageId: randomUUID(), inputName: "Limits", payload: base64(payload) }],
        });
      await put({ value: 5, limit: 5.5 });
      const alarm = await events.isAlarmIn("limits", undefined, "ACTIVE");
      expect(alarm.alarmState.ruleEvaluation.simpleRuleEvaluation).toEqual({
        inputPropertyValue: "5",
        operator: "LESS_OR_EQUAL",
        thresholdValue: "5.5",
      });
    });

    it("sends to every kind of destination, and to web addresses", async () => {
      const receiver = await startHttpReceiver();
      const topic = `arn:vendor:sns:us-east-1:${account}:all`;
      const endpoint = await events.well("PUT", "/endpoints", { arn: topic, url: `${receiver.url}/hook` });
      expect(endpoint).toEqual({ arn: topic, url: `${receiver.url}/hook`, secret: expect.any(String) });
      const { endpoints } = await events.well("GET", "/endpoints");
      expect(endpoints).toEqual([{ arn: topic, url: `${receiver.url}/hook` }]);
      await events.createInput("Chained", {
        attributes: [{ jsonPath: "motorid" }, { jsonPath: "pressure" }],
      });
      await events.createInput("All");
      const payload = {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the expression language has templates of its own.
        contentExpression: '\'{"motorid": "${$input.All.motorid}", "pressure": ${$input.All.pressure}}\'',
        type: "JSON",
      };
      const actions = [
        { sns: { targetArn: topic, payload } },
        { iotTopicPublish: { mqttTopic: "all/things" } },
        { lambda: { functionArn: `arn:vendor:lambda:us-east-1:${account}:function:f`, payload } },
        { iotEvents: { inputName: "Chained", payload } },
        { sqs: { queueUrl: `https://sqs.us-east-1.amazonaws.com/${account}/orders`, useBase64: true } },
        { firehose: { deliveryStreamName: "lake", separator: "\n" } },
        {
          dynamoDB: {
            tableName: "'pressures'",
            hashKeyField: "'motor'",
            hashKeyValue: "$input.All.motorid",
            payload,
          },
        },
        { dynamoDBv2: { tableName: "'items'", payload } },
        {
          iotSiteWise: {
            propertyAlias: "'/plant/pressure'",
            propertyValue: { value: { doubleValue: "$input.All.pressure" } },
          },
        },
      ];
      const model = JSON.parse(JSON.stringify(motorModel).replaceAll("PressureInput", "All"));
      model.states[1].onEnter.events = [{ eventName: "all", condition: "true", actions }];
      await events.createModel("all", model);
      await events.createModel(
        "chained",
        JSON.parse(JSON.stringify(motorModel).replaceAll("PressureInput", "Chained")),
      );
      await events.data("POST", "/inputs/messages", {
        messages: [{ messageId: "1", inputName: "All", payload: base64({ motorid: "z", pressure: 80.5 }) }],
      });
      await events.isIn("chained", "z", "Dangerous");
      const targets = async (kind: string) => (await events.outbox(kind)).map(({ target }: any) => target);
      expect(await targets("topic")).toEqual(
        expect.arrayContaining([topic, `arn:vendor:iot:us-east-1:${account}:topic/all/things`]),
      );
      expect(await targets("queue")).toEqual([`arn:vendor:sqs:us-east-1:${account}:orders`]);
      expect(await targets("stream")).toEqual([
        `arn:vendor:firehose:us-east-1:${account}:deliverystream/lake`,
      ]);
      expect((await targets("table")).sort()).toEqual([
        `arn:vendor:dynamodb:us-east-1:${account}:table/items`,
        `arn:vendor:dynamodb:us-east-1:${account}:table/pressures`,
      ]);
      expect(await targets("asset-property")).toHaveLength(1);
      expect(await targets("function")).toContain(`arn:vendor:lambda:us-east-1:${account}:function:f`);
      const delivered = await receiver.waitFor(1);
      expect(JSON.parse(delivered.body)).toEqual({ motorid: "z", pressure: 80.5 });
      expect(delivered.headers["webhook-signature"]).toMatch(/^v1,/);
      await receiver.stop();
      await events.well("DELETE", `/endpoints?arn=${encodeURIComponent(topic)}`);
      const gone = await events.send("DELETE", `/endpoints?arn=${encodeURIComponent(topic)}`);
      expect(gone.status).toBe(404);
      for (const body of [
        { arn: "topic", url: "https://example.org" },
        { arn: topic, url: "ftp://example.org" },
        { arn: topic, url: "https://a:b@example.org" },
      ])
        expect([body, (await events.send("PUT", "/endpoints", body)).status]).toEqual([body, 400]);
    });

    it("ends a circle of models that send to each other", async () => {
      await events.createInput("Circle");
      const payload = { contentExpression: '\'{"motorid": "c", "pressure": 1}\'', type: "JSON" };
      const turn = {
        eventName: "turn",
        condition: "$input.Circle.pressure > 0",
        actions: [{ iotEvents: { inputName: "Circle", payload } }],
      };
      await events.createModel("circle", {
        initialStateName: "Round",
        states: [{ stateName: "Round", onInput: { events: [turn] } }],
      });
      await events.data("POST", "/inputs/messages", {
        messages: [{ messageId: "1", inputName: "Circle", payload: base64({ motorid: "c", pressure: 1 }) }],
      });
      const log = await eventually(async () => {
        const { body } = await instance().bearer("GET", "/_medley/views/events?view=Log&limit=500");
        return body.views[0].rows.find((row: string[]) => row[2] === "circle" && row[4] === "error");
      }, "the circle is noticed");
      expect(log[7]).toContain("circle");
    });

    it("refuses an alarm model of another account's role, and one too severe", async () => {
      for (const more of [{ roleArn: role.replace(account, "222222222222") }, { severity: -1 }]) {
        const body = { alarmModelName: "no", roleArn: role, alarmRule, ...more };
        expect((await events.send("POST", "/alarm-models", body)).status).toBe(400);
      }
    });
  },
  { services: ["events"] },
);
