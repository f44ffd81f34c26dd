/** The sample service over every protocol. */
import { defineDialect } from "../../src/kernel/dialects/index.ts";
import { apiKeyIn, arm, basic, bearer, googleapis, plain, sigv4 } from "../../src/kernel/protocols/index.ts";
import { sampleService } from "../../src/kernel/testing/index.ts";

const makers = defineDialect({
  name: "maker",
  headers: { "x-maker-key": "x-vendor-key" },
  answerHeaders: { "x-request-id": "x-maker-request-id" },
  pathWords: { "Maker.Notes": "Vendor.Notes" },
  fields: { makers_text: "text" },
  valueFields: ["id"],
});

export const samples = {
  key: sampleService({
    name: "sample-key",
    mount: "/sample-key",
    protocol: plain({ scheme: apiKeyIn("X-Vendor-Key") }),
    dialects: [makers],
  }),
  bearer: sampleService({
    name: "sample-bearer",
    mount: "/sample-bearer/v1",
    protocol: plain({ scheme: bearer }),
    rootPaths: ["/notes"],
  }),
  basic: sampleService({ name: "sample-basic", mount: "/sample-basic", protocol: plain({ scheme: basic }) }),
  arm: sampleService({ name: "sample-arm", mount: "/sample-arm", protocol: arm }),
  google: sampleService({ name: "sample-google", mount: "/sample-google", protocol: googleapis }),
  signed: sampleService({
    name: "sample-signed",
    mount: "/sample-signed",
    protocol: sigv4({ signingName: "sample", messageMember: "Message" }),
  }),
};
export const allSamples = Object.values(samples);
