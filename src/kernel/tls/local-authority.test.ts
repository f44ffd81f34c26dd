/** A real HTTPS server with the issued certificate, and clients that trust nothing but the authority. */
import { X509Certificate } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEphemeralAuthority, type EphemeralAuthority, ensureLocalAuthority } from "./index.ts";

const DAY_MS = 86_400_000;
const HOSTS = ["identity.localhost", "voice.localhost", "192.168.7.7", "[fd00::7]", "medley.example"];

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "medley-tls-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Serves with the certificate and asks as `host`, trusting only the authority. */
async function askAs(host: string, served: EphemeralAuthority, trustedPem = served.certificateAuthorityPem) {
  const server = https.createServer(
    { cert: served.certificatePem, key: served.keyPem },
    (_request, response) => {
      response.end("secure");
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise<string>((resolve, reject) => {
      https
        .get(
          {
            host: "127.0.0.1",
            port,
            agent: false,
            ca: trustedPem,
            servername: host === "127.0.0.1" ? "" : host,
            headers: { host },
          },
          (response) => {
            let body = "";
            response.on("data", (chunk: Buffer) => {
              body += chunk.toString();
            });
            response.on("end", () => resolve(body));
          },
        )
        .on("error", reject);
    });
  } finally {
    server.close();
  }
}

async function modeOf(...parts: string[]): Promise<string> {
  return ((await stat(path.join(folder, ...parts))).mode & 0o777).toString(8);
}

describe("certificates", () => {
  it("serve every given name to clients that trust only the authority", async () => {
    const served = await createEphemeralAuthority({ hosts: HOSTS, nowMs: Date.now() });
    for (const host of [
      "localhost",
      "identity.localhost",
      "voice.localhost",
      "medley.example",
      "127.0.0.1",
    ]) {
      expect(await askAs(host, served)).toBe("secure");
    }
    await expect(askAs("other.example", served)).rejects.toThrow(/altnames/);
  });

  it("are worth nothing under another authority", async () => {
    const served = await createEphemeralAuthority({ hosts: [], nowMs: Date.now() });
    const other = await createEphemeralAuthority({ hosts: [], nowMs: Date.now() });
    await expect(askAs("localhost", served, other.certificateAuthorityPem)).rejects.toThrow(/certificate/);
  });

  it("say what they are for", async () => {
    const nowMs = Date.UTC(2031, 4, 6, 7, 8, 9);
    const served = await createEphemeralAuthority({ hosts: HOSTS, nowMs });
    const authority = new X509Certificate(served.certificateAuthorityPem);
    const certificate = new X509Certificate(served.certificatePem);
    expect(authority.ca).toBe(true);
    expect(authority.subject).toMatch(/^CN=Medley local authority [0-9a-f]{8}\nO=Medley$/);
    expect(authority.verify(authority.publicKey)).toBe(true);
    expect(Date.parse(authority.validTo)).toBe(nowMs + 3650 * DAY_MS);
    expect(certificate.ca).toBe(false);
    expect(certificate.checkIssued(authority) && certificate.verify(authority.publicKey)).toBe(true);
    expect(Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)).toBe(397 * DAY_MS);
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
    expect(certificate.serialNumber).not.toBe(authority.serialNumber);
    for (const address of ["127.0.0.1", "::1", "192.168.7.7", "fd00::7"]) {
      expect(certificate.checkIP(address)).toBe(address);
    }
  });

  it.each(["a b", "", "http://a", "a:80", "-a", "*", "300.1.1.1", "a..b", "a,b", "x".repeat(300)])(
    "are not made for %j",
    async (host) => {
      const work = createEphemeralAuthority({ hosts: [host], nowMs: Date.now() });
      await expect(work).rejects.toThrow("neither a host name nor an IP address");
    },
  );
});

describe("the folder", () => {
  it("keeps the authority private and both certificates for later starts", async () => {
    const nowMs = Date.now();
    const first = await ensureLocalAuthority(folder, { hosts: HOSTS, nowMs });
    expect(await askAs("identity.localhost", first)).toBe("secure");
    expect(await readFile(first.certificateAuthorityPath, "utf8")).toBe(first.certificateAuthorityPem);
    expect((await readdir(path.join(folder, "tls"))).sort()).toEqual([
      "authority-key.pem",
      "authority.pem",
      "server.pem",
    ]);
    expect(await modeOf("tls")).toBe("700");
    expect(await modeOf("tls", "authority-key.pem")).toBe("600");
    expect(await modeOf("tls", "server.pem")).toBe("600");
    const reordered = [...HOSTS].reverse().concat("localhost", "IDENTITY.localhost.");
    expect(await ensureLocalAuthority(folder, { hosts: reordered, nowMs: nowMs + 300 * DAY_MS })).toEqual(
      first,
    );
  });

  it("gets a new server certificate when the hosts change or its end is near, from the same authority", async () => {
    const nowMs = Date.now();
    const first = await ensureLocalAuthority(folder, { hosts: [], nowMs });
    const wider = await ensureLocalAuthority(folder, { hosts: ["b.localhost"], nowMs });
    const later = await ensureLocalAuthority(folder, { hosts: ["b.localhost"], nowMs: nowMs + 367 * DAY_MS });
    expect(new Set([first, wider, later].map(({ certificatePem }) => certificatePem)).size).toBe(3);
    expect(new Set([first, wider, later].map(({ keyPem }) => keyPem)).size).toBe(3);
    expect([wider, later].map((next) => next.certificateAuthorityPem)).toEqual([
      first.certificateAuthorityPem,
      first.certificateAuthorityPem,
    ]);
    expect(await askAs("b.localhost", wider, first.certificateAuthorityPem)).toBe("secure");
  });

  it("renews the authority's certificate with the same key and name before it ends", async () => {
    const nowMs = Date.now() - 3640 * DAY_MS;
    const first = await ensureLocalAuthority(folder, { hosts: [], nowMs });
    const second = await ensureLocalAuthority(folder, { hosts: [], nowMs: Date.now() });
    expect(second.certificateAuthorityPem).not.toBe(first.certificateAuthorityPem);
    // Clients that trust the old certificate go on until its end.
    expect(await askAs("localhost", second, first.certificateAuthorityPem)).toBe("secure");
    expect(await askAs("localhost", second)).toBe("secure");
  });

  it("never issues beyond the authority's own end", async () => {
    const nowMs = Date.now();
    const first = await ensureLocalAuthority(folder, { hosts: [], nowMs });
    const lateMs = nowMs + 3600 * DAY_MS;
    const late = await ensureLocalAuthority(folder, { hosts: [], nowMs: lateMs });
    expect(late.certificateAuthorityPem).toBe(first.certificateAuthorityPem);
    expect(new X509Certificate(late.certificatePem).validTo).toBe(
      new X509Certificate(first.certificateAuthorityPem).validTo,
    );
  });

  it("is mended where that is safe", async () => {
    const options = { hosts: [], nowMs: Date.now() };
    const first = await ensureLocalAuthority(folder, options);
    const file = (name: string) => path.join(folder, "tls", name);
    await writeFile(file("server.pem"), "half a fi");
    await chmod(file("authority-key.pem"), 0o644);
    await chmod(path.join(folder, "tls"), 0o755);
    const mended = await ensureLocalAuthority(folder, options);
    expect(mended.certificateAuthorityPem).toBe(first.certificateAuthorityPem);
    expect(await askAs("localhost", mended)).toBe("secure");
    expect(await modeOf("tls", "authority-key.pem")).toBe("600");
    expect(await modeOf("tls")).toBe("700");
    await rm(file("authority.pem"));
    const again = await ensureLocalAuthority(folder, options);
    expect(again.certificatePem).toBe(mended.certificatePem);
    expect(await askAs("localhost", mended, again.certificateAuthorityPem)).toBe("secure");
  });

  it("is left alone when only its owner can mend it", async () => {
    const options = { hosts: [], nowMs: Date.now() };
    const first = await ensureLocalAuthority(folder, options);
    const keyPath = path.join(folder, "tls", "authority-key.pem");
    await writeFile(keyPath, "nonsense");
    await expect(ensureLocalAuthority(folder, options)).rejects.toThrow(
      "authority-key.pem holds no private key",
    );
    await rm(keyPath);
    await expect(ensureLocalAuthority(folder, options)).rejects.toThrow("authority-key.pem is missing");
    expect(await readFile(first.certificateAuthorityPath, "utf8")).toBe(first.certificateAuthorityPem);
  });

  it("gets one authority from many starts at once", async () => {
    const options = { hosts: [], nowMs: Date.now() };
    const made = await Promise.all(Array.from({ length: 8 }, () => ensureLocalAuthority(folder, options)));
    const saved = await readFile(path.join(folder, "tls", "authority.pem"), "utf8");
    for (const one of made) expect(await askAs("localhost", one, saved)).toBe("secure");
    expect(await readdir(path.join(folder, "tls"))).toHaveLength(3);
  });
});
