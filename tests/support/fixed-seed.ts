/**
 * Properties are tried with the same examples on every machine, so that a change is judged by what it changes.
 * `FAST_CHECK_SEED=random` looks for new ones; a failure prints the seed that leads to it.
 */
import fc from "fast-check";

const { FAST_CHECK_SEED: wanted = "740211" } = process.env;
if (wanted !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });
