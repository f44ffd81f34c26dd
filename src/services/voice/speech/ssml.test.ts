/** SSML and call instructions: what each element becomes, and what is refused where. */
import { describe, expect, it } from "vitest";
import { SsmlError } from "./errors.ts";
import type { SpeechSegment } from "./segments.ts";
import { parseSsml } from "./ssml.ts";
import { getEngineVoice } from "./voices.ts";

const voice = getEngineVoice("en-US", "Joanna");

function parse(source: string, isCallInstructions = false): SpeechSegment[] {
  return parseSsml(source, { voice, isCallInstructions });
}

/** "text|pause|rate|volume|pitch", values that are as usual left out. */
function outline(segments: SpeechSegment[]): string[] {
  return segments.map(({ text, pauseMs, rate, volumeDb, pitch }) => {
    const changes = [
      rate === 1 ? "" : `rate ${Number(rate.toFixed(2))}`,
      volumeDb === 0 ? "" : `volume ${volumeDb}`,
      pitch === 1 ? "" : `pitch ${Number(pitch.toFixed(2))}`,
      pauseMs === 0 ? "" : `pause ${pauseMs}`,
    ].filter((change) => change !== "");
    return [text.trim().replaceAll(/\s+/g, " "), ...changes].join(" | ");
  });
}

function faultOf(source: string, isCallInstructions = false): SsmlError {
  try {
    parse(source, isCallInstructions);
  } catch (error) {
    if (error instanceof SsmlError) return error;
    throw error;
  }
  throw new Error(`Accepted: ${source}`);
}

describe("accepted SSML", () => {
  it.each<[string, string[]]>([
    ["<speak>Hello</speak>", ["Hello"]],
    ['<?xml version="1.0" encoding="UTF-8"?>\n<speak version="1.1">Hi</speak>\n', ["Hi"]],
    ['<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="en-US">Hi</speak>', ["Hi"]],
    ["<speak>a &lt; b &amp; c &#65; &#x42; &quot;</speak>", ['a < b & c A B "']],
    ["<speak>one<!-- not spoken --> two</speak>", ["one two"]],
    ["<speak><![CDATA[1 < 2]]></speak>", ["1 < 2"]],
    ['<speak>One<break time="1s"/>two</speak>', ["One | pause 1000", "two"]],
    ['<speak>One<break time="250ms"></break>two</speak>', ["One | pause 250", "two"]],
    ['<speak>One<break strength="x-strong"/>two</speak>', ["One | pause 700", "two"]],
    ['<speak>One<break strength="none"/> two</speak>', ["One two"]],
    ["<speak>One<break/>two</speak>", ["One | pause 200", "two"]],
    ['<speak><break time="2s"/>Hi</speak>', [" | pause 2000", "Hi"]],
    ["<speak><p>One.</p><p>Two.</p></speak>", ["One. | pause 700", "Two."]],
    ["<speak><p><s>One</s><s>Two</s></p>Three</speak>", ["One | pause 400", "Two | pause 700", "Three"]],
    ['<speak><s>One</s><break time="1s"/><s>Two</s></speak>', ["One | pause 1000", "Two"]],
    ['<speak>a <prosody rate="slow">b</prosody> c</speak>', ["a", "b | rate 0.75", "c"]],
    [
      '<speak><prosody rate="50%" volume="-6dB" pitch="+20%">b</prosody></speak>',
      ["b | rate 0.5 | volume -6 | pitch 1.2"],
    ],
    ['<speak><prosody pitch="+12st">b</prosody></speak>', ["b | pitch 2"]],
    [
      '<speak><prosody rate="50%">a <prosody rate="200%">b</prosody></prosody></speak>',
      ["a | rate 0.5", "b"],
    ],
    ['<speak><prosody volume="silent">b</prosody></speak>', ["b | volume -Infinity"]],
    ['<speak>so <emphasis level="strong">big</emphasis></speak>', ["so", "big | rate 0.85 | volume 4"]],
    ["<speak>so <emphasis>big</emphasis></speak>", ["so", "big | rate 0.92 | volume 2"]],
    ['<speak>I like <sub alias="mercury">Hg</sub>.</speak>', ["I like mercury."]],
    ['<speak>code <say-as interpret-as="digits">407</say-as>.</speak>', ["code 4 0 7 ."]],
    ['<speak><phoneme alphabet="ipa" ph="pɪˈkɑːn">pecan</phoneme> pie</speak>', ["pecan pie"]],
    ['<speak>say <lang xml:lang="fr-FR">bonjour</lang></speak>', ["say bonjour"]],
    ['<speak>read <mark name="here"/>this <w role="x:VB">now</w></speak>', ["read this now"]],
  ])("%s", (source, expected) => {
    expect(outline(parse(source))).toEqual(expected);
  });

  it("switches the voice", () => {
    const voices = parse('<speak>a <voice name="Matthew">b</voice></speak>').map(
      (segment) => segment.voice.name,
    );
    expect(voices).toEqual(["slt", "rms"]);
  });
});

describe("refused SSML", () => {
  it.each<[string, RegExp, number, number]>([
    ["", /no element/, 1, 1],
    ["Hello", /outside the outermost/, 1, 1],
    ["<p>Hello</p>", /must be <speak>/, 1, 1],
    ["<speak>Hello", /<speak> is not closed/, 1, 1],
    ["<speak>Hello</p></speak>", /does not close <speak>/, 1, 13],
    ["<speak>a</speak><speak>b</speak>", /one outermost/, 1, 17],
    ["<speak>a</speak>b", /outside the outermost/, 1, 17],
    ["<speak>\nTom & Jerry</speak>", /&amp;/, 2, 5],
    ["<speak>a < b</speak>", /expected after </, 1, 10],
    ["<speak>&nbsp;</speak>", /entity &nbsp; is not known/, 1, 8],
    ["<speak>&#0;</speak>", /not known/, 1, 8],
    ["<speak>\u0001</speak>", /does not allow/, 1, 8],
    ["<speak>\ud800</speak>", /does not allow/, 1, 8],
    ['<!DOCTYPE speak [<!ENTITY a "b">]><speak>&a;</speak>', /document type/, 1, 1],
    ["<speak><?php echo ?></speak>", /processing instruction/, 1, 8],
    ["<speak><!-- a -- b --></speak>", /hyphens/, 1, 15],
    ["<speak><!-- a</speak>", /comment is not closed/, 1, 8],
    ["<speak><![CDATA[a</speak>", /CDATA section is not closed/, 1, 8],
    ["<speak>]]></speak>", /not allowed in text/, 1, 8],
    ["<speak><blink>a</blink></speak>", /<blink> is not supported/, 1, 8],
    ['<speak>\n  <audio src="http://example.org/a.mp3"/></speak>', /<audio> is not supported/, 2, 3],
    ['<speak><wait time="1s"/></speak>', /<wait> is not supported/, 1, 8],
    ['<speak><break time="1"/></speak>', /attribute time/, 1, 8],
    ['<speak><break time="11s"/></speak>', /at most 10s/, 1, 8],
    ['<speak><break time="-1s"/></speak>', /attribute time/, 1, 8],
    ['<speak><break strength="huge"/></speak>', /attribute strength/, 1, 8],
    ['<speak><break size="1"/></speak>', /attribute size is not supported on <break>/, 1, 8],
    ["<speak><break>a</break></speak>", /must be empty/, 1, 15],
    ["<speak><break time=1s/></speak>", /not in quotes/, 1, 20],
    ['<speak><break time="1s" time="2s"/></speak>', /twice/, 1, 25],
    ['<speak><break time="1s/></speak>', /no closing quote/, 1, 21],
    ["<speak><break time/></speak>", /no value/, 1, 19],
    ['<speak><sub alias="<">a</sub></speak>', /not allowed in the value/, 1, 20],
    ["<speak><prosody>a</prosody></speak>", /needs one of/, 1, 8],
    ['<speak><prosody rate="900%">a</prosody></speak>', /attribute rate/, 1, 8],
    ['<speak><prosody volume="11">a</prosody></speak>', /attribute volume/, 1, 8],
    ['<speak><prosody pitch="100Hz">a</prosody></speak>', /attribute pitch/, 1, 8],
    ['<speak><prosody contour="(0%,+20Hz)">a</prosody></speak>', /contour is not supported/, 1, 8],
    ['<speak><emphasis level="very">a</emphasis></speak>', /attribute level/, 1, 8],
    ["<speak><say-as>a</say-as></speak>", /interpret-as is missing/, 1, 8],
    ['<speak><say-as interpret-as="song">a</say-as></speak>', /cannot be "song"/, 1, 8],
    ['<speak><say-as interpret-as="date" format="xyz">a</say-as></speak>', /format cannot be/, 1, 8],
    [
      '<speak><say-as interpret-as="digits">1<break/>2</say-as></speak>',
      /not allowed inside <say-as>/,
      1,
      39,
    ],
    ["<speak><sub>a</sub></speak>", /alias is missing/, 1, 8],
    ["<speak><phoneme>a</phoneme></speak>", /ph is missing/, 1, 8],
    ['<speak><phoneme alphabet="abc" ph="a">a</phoneme></speak>', /attribute alphabet/, 1, 8],
    ['<speak><lang xml:lang="xx-XX">a</lang></speak>', /language "xx-XX" is not known/, 1, 8],
    ['<speak><voice name="Nobody">a</voice></speak>', /voice "Nobody" is not known/, 1, 8],
    ["<speak><p>a<p>b</p></p></speak>", /<p> is not allowed inside <p>/, 1, 12],
    ["<speak><s><emphasis><s>b</s></emphasis></s></speak>", /<s> is not allowed inside <s>/, 1, 21],
    ["<speak><speak>a</speak></speak>", /must be the outermost/, 1, 8],
  ])("%s", (source, message, line, column) => {
    const fault = faultOf(source);
    expect(fault.message).toMatch(message);
    expect({ line: fault.position.line, column: fault.position.column }).toEqual({ line, column });
    expect(fault.reason).toBe("badMarkup");
    expect(fault.isCallerFault).toBe(true);
  });

  it("limits nesting and the number of segments", () => {
    const deep = (count: number) =>
      `<speak>${"<emphasis>".repeat(count)}a${"</emphasis>".repeat(count)}</speak>`;
    expect(parse(deep(31))).toHaveLength(1);
    expect(faultOf(deep(32)).message).toMatch(/nested more than 32/);
    const many = (count: number) => `<speak>${"a<break/>".repeat(count - 1)}b</speak>`;
    expect(parse(many(1000))).toHaveLength(1000);
    expect(faultOf(many(1001)).message).toMatch(/More than 1000/);
    const spoken = (count: number) => {
      const attributes = Array.from({ length: count }, (_, index) => `xmlns:a${index}="b"`).join(" ");
      return `<speak ${attributes}>a</speak>`;
    };
    expect(parse(spoken(16))).toHaveLength(1);
    expect(faultOf(spoken(17)).message).toMatch(/More than 16 attributes/);
  });
  it("limits rate, volume and pitch of what is nested", () => {
    const said = (attribute: string, value: string) => {
      const [begin, end] = [`<prosody ${attribute}="${value}">`, "</prosody>"];
      return parse(`<speak>${begin.repeat(9)}a${end.repeat(9)}</speak>`)[0];
    };
    expect([said("rate", "50%")?.rate, said("rate", "200%")?.rate]).toEqual([0.2, 3]);
    expect([said("volume", "-10dB")?.volumeDb, said("volume", "+6dB")?.volumeDb]).toEqual([-60, 12]);
    expect([said("pitch", "-30%")?.pitch, said("pitch", "+30%")?.pitch]).toEqual([0.5, 2]);
  });
});

describe("call instructions", () => {
  it.each<[string, string[]]>([
    ["Your code follows.", ["Your code follows."]],
    ['Hello.<wait time="2s"/>Bye.', ["Hello. | pause 2000", "Bye."]],
    ['<speak>Hello.<wait time="500ms"/>Bye.</speak>', ["Hello. | pause 500", "Bye."]],
    ['Code <say-as interpret-as="digits">12</say-as><break/>thanks', ["Code 1 2 | pause 200", "thanks"]],
    ["Tom &amp; Jerry", ["Tom & Jerry"]],
  ])("%s", (source, expected) => {
    expect(outline(parse(source, true))).toEqual(expected);
  });

  it.each([
    ["Tom & Jerry", /&amp;/],
    ["Hello <wait/>", /time is missing/],
    ['Hello <wait time="soon"/>', /attribute time/],
    ["Hello <wait time='1s'>", /not closed/],
    ["Hello <dial>1</dial>", /<dial> is not supported/],
    ["Hello</speak>", /closes nothing/],
  ])("refuses %s", (source, message) => {
    expect(faultOf(source, true).message).toMatch(message);
  });
});
