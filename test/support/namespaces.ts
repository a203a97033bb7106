import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Why tests that need network namespaces are skipped here, and how to enable them; `undefined` if they run. */
export function whyNoNamespaces(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "Network namespaces need Linux and root";
  for (const [command, name] of [
    ["ip", "iproute2"],
    ["openssl", "openssl"],
  ] as const)
    if (spawnSync(command, ["help"]).error !== undefined) return `${command} was not found. On Debian: apt-get install ${name}`;
  const probe = `xg-probe-${process.pid}`;
  const isAllowed = spawnSync("ip", ["netns", "add", probe]).status === 0;
  spawnSync("ip", ["netns", "del", probe]);
  return isAllowed ? undefined : "This machine does not allow network namespaces";
}

function run(command: string, ...words: readonly string[]): void {
  const { status, stderr } = spawnSync(command, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")}: ${stderr}`);
}

/** Two network namespaces joined by one link, and a certificate for the far end. */
export interface TwoNamespaces {
  readonly near: Namespace;
  readonly far: Namespace;
  /** PEM files, in a folder that is removed with the namespaces. */
  readonly certificate: { readonly key: string; readonly cert: string };
  close(): void;
}

/** One of the two namespaces. */
export interface Namespace {
  readonly address: string;
  /** Prefix that runs a command in this namespace. */
  readonly exec: readonly [command: "ip", ...words: string[]];
  /** Makes the route to the other namespace drop (`blackhole`) or reject (`unreachable`) packets, or restores it (`open`). */
  wayOut(kind: "blackhole" | "unreachable" | "open"): void;
  /** Sets how often the system retransmits unacknowledged data before it gives a connection up. */
  giveUpAfter(repetitions: number): void;
}

export function twoNamespaces(): TwoNamespaces {
  const names = { near: `xg-near-${process.pid}`, far: `xg-far-${process.pid}` } as const;
  const addresses = { near: "198.18.0.1", far: "198.18.0.2" } as const;
  const folder = mkdtempSync(join(tmpdir(), "namespaces-"));
  const certificate = { key: join(folder, "key.pem"), cert: join(folder, "cert.pem") };
  const close = (): void => {
    for (const name of Object.values(names)) spawnSync("ip", ["netns", "del", name]);
    rmSync(folder, { recursive: true });
  };
  try {
    for (const name of Object.values(names)) run("ip", "netns", "add", name);
    run("ip", "link", "add", "cable", "netns", names.near, "type", "veth", "peer", "name", "cable", "netns", names.far);
    for (const end of ["near", "far"] as const) {
      run("ip", "-n", names[end], "address", "add", `${addresses[end]}/30`, "dev", "cable");
      for (const device of ["lo", "cable"]) run("ip", "-n", names[end], "link", "set", device, "up");
    }
    const subject = ["-subj", "/CN=far", "-addext", `subjectAltName=IP:${addresses.far}`];
    const files = ["-keyout", certificate.key, "-out", certificate.cert];
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", ...files, ...subject);
  } catch (error) {
    close();
    throw error;
  }
  const end = (one: "near" | "far", other: "near" | "far"): Namespace => ({
    address: addresses[one],
    exec: ["ip", "netns", "exec", names[one]],
    wayOut(kind) {
      if (kind === "open")
        for (const closed of ["blackhole", "unreachable"])
          spawnSync("ip", ["-n", names[one], "route", "del", closed, addresses[other]]);
      else run("ip", "-n", names[one], "route", "add", kind, addresses[other]);
    },
    giveUpAfter(repetitions) {
      run("ip", "netns", "exec", names[one], "sh", "-c", `echo ${repetitions} > /proc/sys/net/ipv4/tcp_retries2`);
    },
  });
  return { near: end("near", "far"), far: end("far", "near"), certificate, close };
}
