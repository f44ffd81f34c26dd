/** The maker's own client library, unmodified: a clinic reminds its patients, and learns who could not be reached. */
import {
  AlreadyExistsException,
  BadRequestException,
  CreateConfigurationSetCommand,
  CreateConfigurationSetEventDestinationCommand,
  DeleteConfigurationSetCommand,
  DeleteConfigurationSetEventDestinationCommand,
  type EventType,
  GetConfigurationSetEventDestinationsCommand,
  LimitExceededException,
  ListConfigurationSetsCommand,
  NotFoundException,
  PinpointSMSVoiceClient,
  SendVoiceMessageCommand,
  UpdateConfigurationSetEventDestinationCommand,
} from "@aws-sdk/client-pinpoint-sms-voice";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { levelOf, readWav } from "../../src/services/voice/speech/index.ts";
import { accounts, onBothDatabases } from "../support/medley.ts";

const ALL: EventType[] = [
  "INITIATED_CALL",
  "RINGING",
  "ANSWERED",
  "COMPLETED_CALL",
  "BUSY",
  "FAILED",
  "NO_ANSWER",
];
const IamRoleArn = "arn:aws:iam::111111111111:role/voice-events";
const SnsDestination = { TopicArn: "arn:aws:sns:us-east-1:111111111111:missed-calls" };
const CloudWatchLogsDestination = {
  IamRoleArn,
  LogGroupArn: "arn:aws:logs:us-east-1:111111111111:log-group:clinic-calls",
};
const KinesisFirehoseDestination = {
  IamRoleArn,
  DeliveryStreamArn: "arn:aws:firehose:us-east-1:111111111111:deliverystream/clinic",
};

onBothDatabases(
  "the maker's client",
  (instance) => {
    const [key] = accounts.first.accessKeys;
    const clientAt = (path: string, change: object = {}) =>
      new PinpointSMSVoiceClient({
        endpoint: `${instance().url}${path}`,
        region: "us-east-1",
        credentials: { accessKeyId: key!.id, secretAccessKey: key!.secret },
        maxAttempts: 1,
        ...change,
      });

    describe.each(["/voice", ""])('at "%s"', (path) => {
      const ConfigurationSetName = path === "" ? "clinic-at-the-root" : "clinic";
      let client: PinpointSMSVoiceClient;
      beforeAll(async () => {
        client = clientAt(path);
        await instance().clock.freeze();
      });
      afterAll(async () => {
        await instance().clock.resume();
        client.destroy();
      });
      async function eventsOf(kind: string, messageId: string | undefined): Promise<string[]> {
        const { body } = await instance().bearer("GET", `/_medley/outbox?limit=1000&kind=${kind}`);
        return body.messages
          .toReversed()
          .filter((one: any) => one.body.messageId === messageId)
          .map((one: any) => one.body.eventType);
      }

      it("makes a configuration set with destinations of every kind", async () => {
        const created = await client.send(new CreateConfigurationSetCommand({ ConfigurationSetName }));
        expect(created.$metadata.httpStatusCode).toBe(200);
        expect(created.$metadata.requestId).toMatch(/\w/);
        for (const [EventDestinationName, target] of Object.entries({
          log: { CloudWatchLogsDestination },
          stream: { KinesisFirehoseDestination },
          topic: { SnsDestination },
        }))
          await client.send(
            new CreateConfigurationSetEventDestinationCommand({
              ConfigurationSetName,
              EventDestinationName,
              EventDestination: { Enabled: true, MatchingEventTypes: ALL, ...target },
            }),
          );
        await client.send(
          new UpdateConfigurationSetEventDestinationCommand({
            ConfigurationSetName,
            EventDestinationName: "topic",
            EventDestination: {
              Enabled: true,
              MatchingEventTypes: ["BUSY", "FAILED", "NO_ANSWER"],
              SnsDestination,
            },
          }),
        );
        const { EventDestinations } = await client.send(
          new GetConfigurationSetEventDestinationsCommand({ ConfigurationSetName }),
        );
        expect(EventDestinations).toEqual([
          { Name: "log", Enabled: true, MatchingEventTypes: ALL, CloudWatchLogsDestination },
          { Name: "stream", Enabled: true, MatchingEventTypes: ALL, KinesisFirehoseDestination },
          {
            Name: "topic",
            Enabled: true,
            MatchingEventTypes: ["BUSY", "FAILED", "NO_ANSWER"],
            SnsDestination,
          },
        ]);
      });

      it("calls two patients, of whom one does not answer", async () => {
        const reached = await client.send(
          new SendVoiceMessageCommand({
            ConfigurationSetName,
            CallerId: "+12065550177",
            OriginationPhoneNumber: "+12065550199",
            DestinationPhoneNumber: "+1 (206) 555-0142",
            Content: {
              SSMLMessage: {
                LanguageCode: "en-US",
                VoiceId: "Joanna",
                Text: '<speak>Your appointment is <emphasis>tomorrow</emphasis> at <say-as interpret-as="time">9:30am</say-as>.</speak>',
              },
            },
          }),
        );
        const missed = await client.send(
          new SendVoiceMessageCommand({
            ConfigurationSetName,
            DestinationPhoneNumber: "+12065550121",
            Content: { PlainTextMessage: { Text: "Please call us back." } },
          }),
        );
        await instance().clock.advance("2m");
        expect(await eventsOf("log", reached.MessageId)).toEqual(ALL.slice(0, 4));
        expect(await eventsOf("stream", reached.MessageId)).toEqual(ALL.slice(0, 4));
        expect(await eventsOf("topic", reached.MessageId)).toEqual([]);
        expect(await eventsOf("log", missed.MessageId)).toEqual(["INITIATED_CALL", "RINGING", "NO_ANSWER"]);
        expect(await eventsOf("topic", missed.MessageId)).toEqual(["NO_ANSWER"]);

        const { body } = await instance().bearer("GET", "/_medley/outbox?kind=call");
        const call = body.messages.find((one: any) => one.body.messageId === reached.MessageId);
        const { samples, sampleRate } = readWav((await instance().bearer("GET", call.content)).bytes);
        expect(samples.length / sampleRate).toBeGreaterThan(1.5);
        expect(levelOf(samples).rms).toBeGreaterThan(0.01);
      });

      it("speaks call instructions, and is told what is wrong with bad markup", async () => {
        const send = (Text: string) =>
          client.send(
            new SendVoiceMessageCommand({
              DestinationPhoneNumber: "+12065550142",
              Content: { CallInstructionsMessage: { Text } },
            }),
          );
        expect((await send("<speak>Hello.</speak>")).MessageId).toMatch(/^[0-9a-f-]{36}$/);
        await expect(send("<speak>Hello.")).rejects.toThrow(BadRequestException);
        await expect(send("<speak>Hello.")).rejects.toMatchObject({
          message: expect.stringMatching(/line 1/),
        });
      });

      it("sees every error as the class that it knows", async () => {
        const create = () => client.send(new CreateConfigurationSetCommand({ ConfigurationSetName }));
        await expect(create()).rejects.toThrow(AlreadyExistsException);
        await expect(client.send(new CreateConfigurationSetCommand({}))).rejects.toThrow(BadRequestException);
        await expect(
          client.send(new DeleteConfigurationSetCommand({ ConfigurationSetName: "nothing" })),
        ).rejects.toThrow(NotFoundException);
        const add = (EventDestinationName: string) =>
          client.send(
            new CreateConfigurationSetEventDestinationCommand({
              ConfigurationSetName,
              EventDestinationName,
              EventDestination: { MatchingEventTypes: ["BUSY"], SnsDestination },
            }),
          );
        for (let index = 3; index < 10; index += 1) await add(`more-${index}`);
        await expect(add("too-many")).rejects.toThrow(LimitExceededException);
        const forged = clientAt(path, { credentials: { accessKeyId: key!.id, secretAccessKey: "guessed" } });
        await expect(forged.send(new ListConfigurationSetsCommand({}))).rejects.toMatchObject({
          $metadata: { httpStatusCode: 403 },
        });
      });

      it("pages through its sets, removes what it made, and sees another region as its own world", async () => {
        await client.send(
          new CreateConfigurationSetCommand({ ConfigurationSetName: `${ConfigurationSetName}-b` }),
        );
        const first = await client.send(new ListConfigurationSetsCommand({ PageSize: "1" }));
        expect(first.ConfigurationSets).toEqual([ConfigurationSetName]);
        const second = await client.send(
          new ListConfigurationSetsCommand({ PageSize: "1", NextToken: first.NextToken }),
        );
        expect(second).toMatchObject({ ConfigurationSets: [`${ConfigurationSetName}-b`] });
        expect(second.NextToken).toBeUndefined();
        const elsewhere = clientAt(path, { region: "eu-west-1" });
        expect((await elsewhere.send(new ListConfigurationSetsCommand({}))).ConfigurationSets).toEqual([]);
        await client.send(
          new DeleteConfigurationSetEventDestinationCommand({
            ConfigurationSetName,
            EventDestinationName: "log",
          }),
        );
        const { EventDestinations } = await client.send(
          new GetConfigurationSetEventDestinationsCommand({ ConfigurationSetName }),
        );
        expect(EventDestinations?.map(({ Name }) => Name)).not.toContain("log");
        for (const name of [ConfigurationSetName, `${ConfigurationSetName}-b`])
          await client.send(new DeleteConfigurationSetCommand({ ConfigurationSetName: name }));
        expect((await client.send(new ListConfigurationSetsCommand({}))).ConfigurationSets).toEqual([]);
      });
    });
  },
  { services: ["voice"] },
);
