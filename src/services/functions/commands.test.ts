/**
 * Functions in any installed language: the command in the manifest is started, and requests reach it over
 * HTTP.
 */
import { describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { Functions } from "../../../tests/support/functions.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { findLevel, userIdOf } from "./running/sandbox.ts";

const hasBubblewrap = (await findLevel(userIdOf(1))) === "bubblewrap";
/** Perl is on every Debian. */
const SERVER = String.raw`
use strict; use IO::Socket::INET; $| = 1;
my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => $ENV{PORT}, Listen => 5, ReuseAddr => 1) or die;
while (my $client = $server->accept()) {
  my ($line, $length, $type) = (scalar <$client>, 0, "");
  while (my $header = <$client>) {
    $length = $1 if $header =~ /^content-length:\s*(\d+)/i;
    $type = $1 if $header =~ /^ce-type:\s*(\S+)/i;
    last if $header =~ /^\r?\n$/;
  }
  my $body = ""; read($client, $body, $length) if $length;
  exit 3 if $line =~ /crash/;
  print "asked $line";
  my ($method, $path) = split / /, $line;
  my $text = "$method $path $body $type $ENV{WHOM} $ENV{K_SERVICE}";
  print $client "HTTP/1.1 201 Made\r\nContent-Type: text/plain\r\nX-Perl: yes\r\nContent-Length: ", length $text, "\r\nConnection: close\r\n\r\n$text";
  close $client;
}`;
const manifest = (...command: string[]) => JSON.stringify({ command });
const words = (count: number): string[] => Array(count).fill("more");

onBothDatabases("functions in other languages", (instance) => {
  const functions = new Functions(instance);
  describe.runIf(hasBubblewrap)("are run", () => {
    it("by the command of their manifest", async () => {
      const source = {
        "medley-function.json": manifest("perl", "server.pl", ...words(98)),
        "server.pl": SERVER,
      };
      const service = { environmentVariables: { WHOM: "world" } };
      const url = await functions.running("perl-hello", { source, service, runtime: "ruby33" });
      const { text, status, headers } = await functions.call(`${url}/a?b=1`, {
        method: "POST",
        body: "sent",
      });
      expect([status, text.trim(), headers.get("x-perl")]).toEqual([
        201,
        "POST /a?b=1 sent  world perl-hello",
        "yes",
      ]);
      await eventually(async () => {
        const { body } = await functions.send("GET", `${functions.nameOf("perl-hello")}/logs`);
        return JSON.stringify(body).includes("asked POST /a");
      }, "the log");
      // A program that ends is started again for the next.
      expect((await functions.call(`${url}/crash`)).status).toBeGreaterThanOrEqual(500);
      expect((await functions.call(`${url}/again`)).status).toBe(201);
    });
    it.each([
      ["no manifest", { "main.rb": "" }, "has no medley-function.json"],
      ["no command", { "medley-function.json": "{}" }, "must be a list of texts"],
      ["101 words", { "medley-function.json": manifest(...words(101)) }, "must be a list of texts"],
      [
        "a program that is not there",
        { "medley-function.json": manifest("no-such-program") },
        "could not be started",
      ],
      ["a program that ends", { "medley-function.json": manifest("false") }, "ended with status 1"],
    ])("but not with %s", async (_what, source, told) => {
      const { error } = await functions.create("wrong-one", { source, runtime: "go123" });
      expect(error.message).toContain(told);
      await functions.ended(await functions.send("DELETE", functions.nameOf("wrong-one")));
    });
  });
});
