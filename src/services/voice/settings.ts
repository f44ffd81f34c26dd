/** The carrier setting of this service. */
import { type Config, ConfigError, type Setting, settingOf } from "#kernel/config";

const SIP_PORT = 5060;

/** A SIP peer. */
export type CarrierSettings = {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  /** Default caller number. */
  readonly from?: string;
};

function readCarrier(text: string): CarrierSettings {
  const spelt = text.replace(/^sip:(?!\/\/)/, "sip://");
  const url = URL.canParse(spelt) ? new URL(spelt) : undefined;
  if (url?.protocol !== "sip:" || url.hostname === "")
    throw new ConfigError(`"${text}" is not a sip:host:port address`);
  const from = url.searchParams.get("from");
  return {
    host: url.hostname,
    port: Number(url.port || SIP_PORT),
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(from && { from }),
  };
}

const TEXTS: ReadonlySet<string> = new Set(["username", "password", "from"]);
function checkCarrier(given: Readonly<Record<string, unknown>>): CarrierSettings {
  const { host, port = SIP_PORT, ...rest } = given;
  if (typeof host !== "string" || host === "") throw new ConfigError(`"host" is required and must be a text`);
  if (!Number.isInteger(port) || Number(port) < 1 || Number(port) > 65_535)
    throw new ConfigError(`"port" must be a whole number from 1 to 65535`);
  for (const [name, value] of Object.entries(rest)) {
    if (!TEXTS.has(name))
      throw new ConfigError(`there is no "${name}", only host, port, ${[...TEXTS].join(", ")}`);
    if (typeof value !== "string") throw new ConfigError(`"${name}" must be a text`);
  }
  return { ...rest, host, port: Number(port) };
}

export const carrier: Setting<CarrierSettings> = {
  flag: "carrier",
  key: "carrier",
  read: readCarrier,
  readObject: checkCarrier,
  help: "sip:user:password@host:port of the carrier for voice calls",
};
export const findCarrier = (config: Config): CarrierSettings | undefined => settingOf(config, carrier);
