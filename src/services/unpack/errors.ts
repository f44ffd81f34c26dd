/** Errors of this service. The contract has only status 400 for invalid requests. */
import { defineErrors, type KernelErrorName } from "#kernel/operation";

export const errors = defineErrors({
  brokenFile: ["BrokenFile", 400],
  notUnpacked: ["NotUnpacked", 400],
  notAFile: ["NotAFile", 400],
  notBase64: ["NotBase64", 400],
});

export const errorNames: Partial<Record<KernelErrorName, readonly [code: string, status: number]>> = {
  bodyTooLarge: ["FileTooLarge", 400],
  unsupportedMediaType: ["NotAForm", 400],
};
