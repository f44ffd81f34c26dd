"use strict";

/** Stands for the public framework's package in sources that do not bring it: functions register themselves. */
const REGISTERED = Symbol.for("medley.functions.registered");
globalThis[REGISTERED] ??= new Map();
const registered = globalThis[REGISTERED];
const register = (signature) => (name, given) => {
  if (typeof name === "function") registered.set(process.env.FUNCTION_TARGET, { signature, given: name });
  else registered.set(name, { signature, given });
};

exports.http = register("http");
exports.cloudEvent = register("cloudevent");
exports.event = register("event");
exports.typed = register("typed");
