import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import { createClient } from "@redis/client";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readConfig } from "../../src/config/config.js";
import { VARIABLES } from "../../src/config/variables.js";
import { Checkout } from "../support/checkout.js";
import { describeUnless } from "../support/missing.js";
import { codeOf } from "../support/pages.js";
import { noRedis, redisServer } from "../support/redisServer.js";
import { copyForOwner } from "./copyForOwner.js";
import {
  type Manifest,
  OVERLAYS,
  type Overlay,
  parseManifests,
  render,
  unknownFields,
  validate,
  valkeyFiles,
  wholeFiles,
  whyNoKustomize,
} from "./manifests.js";

const objectsIn = (paths: readonly string[]) => paths.flatMap((path) => parseManifests(readFileSync(path, "utf8")));
const base = objectsIn(wholeFiles);
const valkey = objectsIn(valkeyFiles);

const labels = z.record(z.string(), z.string());
const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  securityContext: z.unknown(),
  resources: z.object({ requests: labels, limits: labels }),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() })).default([]),
});
const deployment = z.object({
  selector: z.object({ matchLabels: labels }),
  template: z.object({
    metadata: z.object({ labels }),
    spec: z.looseObject({
      containers: z.array(container),
      terminationGracePeriodSeconds: z.number(),
      volumes: z.array(z.looseObject({ name: z.string() })),
    }),
  }),
});

const one = (objects: readonly Manifest[], kind: string): Manifest => {
  const [found, ...more] = objects.filter((object) => object.kind === kind);
  if (found === undefined || more.length > 0) throw new Error(`${more.length + 1} of ${kind}`);
  return found;
};

const hardened = (objects: readonly Manifest[]): void => {
  for (const { kind, spec } of objects)
    if (kind === "Deployment" || kind === "StatefulSet") hardenedPod(deployment.parse(spec).template.spec);
};

const hardenedPod = (pod: z.infer<typeof deployment>["template"]["spec"]): void => {
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: 65_532, runAsGroup: 65_532, seccompProfile: { type: "RuntimeDefault" } },
  });
  for (const { securityContext, resources } of pod.containers) {
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    for (const amounts of [resources.requests, resources.limits])
      expect(Object.keys(amounts).sort()).toEqual(["cpu", "ephemeral-storage", "memory"]);
  }
};

const missing = whyNoKustomize();

const rendered = new Map<Overlay, readonly Manifest[]>();
const overlay = (name: Overlay): readonly Manifest[] => {
  const objects = rendered.get(name) ?? render(name);
  rendered.set(name, objects);
  return objects;
};

/** Errors about unknown fields in each list, and in an object with a deliberate mistake. */
let unknown: Readonly<Record<"base" | "valkey" | "wrong" | "overlays", string>>;
beforeAll(() => {
  const wrong = { ...one(base, "Service"), spec: { selector: {}, ports: [{ port: 4_000, targetprot: "http" }] } };
  unknown = unknownFields({ base, valkey, wrong: [wrong], overlays: missing === undefined ? OVERLAYS.flatMap(overlay) : [] });
});

describe("the base for Kubernetes", () => {
  it.each(base.map((object) => [object.kind, object] as const))("has a %s that the API accepts", (_, object) => {
    expect(() => validate(object)).not.toThrow();
  });

  it("has no field that the API does not have", () => {
    expect(unknown.base).toBe("");
  });

  it("has the rules of deploy/prometheus for the Prometheus operator", () => {
    const groupsOf = (file: string): unknown[] => parse(readFileSync(`deploy/prometheus/${file}`, "utf8")).groups;
    expect(one(base, "PrometheusRule").spec).toEqual({ groups: [...groupsOf("recording.yml"), ...groupsOf("alerts.yml")] });
  });

  it("runs unprivileged, on a read-only root, with resource limits", () => {
    hardened(base);
  });

  it("gives the gateway enough time to stop", () => {
    const { terminationGracePeriodSeconds, containers } = deployment.parse(one(base, "Deployment").spec).template.spec;
    const { lifecycle } = z
      .object({ lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }) })
      .parse(containers[0]);
    const stopping = readConfig({}).shutdownTimeoutMs / 1_000 + 2;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(lifecycle.preStop.sleep.seconds + stopping);
  });
});

describe("the Valkey for Kubernetes", () => {
  it("is accepted by the API, runs unprivileged, and stores nothing on disk", () => {
    for (const object of valkey) expect(() => validate(object), object.kind).not.toThrow();
    expect(unknown.valkey).toBe("");
    hardened(valkey);
    expect(one(valkey, "StatefulSet").spec).not.toHaveProperty("volumeClaimTemplates");
  });
});

describe("the check for unknown fields and wrong values", () => {
  it("finds them", () => {
    const service = one(base, "Service");
    expect(unknown.wrong).toMatch(/"targetprot"' does not exist/);
    expect(() => validate({ ...service, spec: { ports: [{ port: "4000" }] } })).toThrow("/spec/ports/0/port must be integer");
  });
});

describeUnless(missing, "the overlays, rendered", () => {
  const settingsOf = (objects: readonly Manifest[]): Record<string, string> =>
    objects.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name.startsWith("exchange-graph-settings"))?.data ?? {};

  it("are accepted by the API, and run unprivileged, on a read-only root, with resource limits", () => {
    // Overlays share most of their objects, and each check takes long.
    const distinct = new Map(OVERLAYS.flatMap(overlay).map((object) => [JSON.stringify(object), object]));
    for (const object of distinct.values()) expect(() => validate(object), object.kind).not.toThrow();
    hardened([...distinct.values()]);
  });

  /** Starts the server with its pod's command and configuration file. Its password must be that of the gateways' address. */
  async function startsValkey(objects: readonly Manifest[], secret: Readonly<Record<string, string>>): Promise<void> {
    const [url = "", config = ""] = ["url", "valkey.conf"].map((key) => Buffer.from(secret[key] ?? "", "base64").toString());
    expect(url).toMatch(/^redis:\/\/:[\w-]{32}@exchange-graph-valkey:6379\/0$/);
    expect(one(objects, "StatefulSet").metadata.name).toBe(new URL(url).hostname);
    const [{ command }] = z
      .tuple([z.object({ command: z.array(z.string()) })])
      .parse(deployment.parse(one(objects, "StatefulSet").spec).template.spec.containers);
    const [program, file, ...options] = command;
    expect([program, file]).toEqual(["valkey-server", "/etc/valkey/valkey.conf"]);
    if (noRedis !== undefined) return;
    const server = await redisServer({ options, config });
    expect(new URL(server.url).password).toBe(new URL(url).password);
    expect(await server.run("CONFIG", "GET", "maxmemory-policy")).toMatchObject({ "maxmemory-policy": "noeviction" });
    const { port } = new URL(server.url);
    const stranger = createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: false } });
    stranger.on("error", () => undefined);
    await expect(stranger.connect()).rejects.toThrow("NOAUTH");
    stranger.destroy();
    await server.close();
  }

  it("are applied by the commands of the page, with the Secrets that they name", async () => {
    const checkout = new Checkout();
    // Prints the objects instead of sending them to a cluster.
    const kubectl = `kubectl() {
      case $1 in
        apply) command kubectl kustomize "$3" ;;
        *) command kubectl "$@" --dry-run=client --output=yaml ;;
      esac
      echo ---
    }\n`;
    copyForOwner("deploy/kubernetes/overlays/sandbox/accounts.json", checkout.folder);
    const sent: (readonly Manifest[])[] = [];
    for (const code of codeOf("kubernetes"))
      sent.push(parseManifests((await checkout.run(code, kubectl)).replace(/^exgt_.*\n/, "").replace(/---\n$/, "")));
    const [alone, replicas, ...others] = sent.map((objects) => ({
      secrets: objects.filter(({ kind }) => kind === "Secret").map(({ metadata, data }) => [metadata.name, data ?? {}] as const),
      applied: objects.filter(({ kind }) => kind !== "Secret"),
    }));
    expect(others).toEqual([]);
    expect(alone?.secrets.map(([name, data]) => [name, Object.keys(data)])).toEqual([
      ["exchange-graph-clients", ["clients.json"]],
      ["exchange-graph-accounts", ["accounts.json"]],
    ]);
    expect(alone?.applied).toEqual(overlay("exchange"));
    expect(replicas?.secrets.map(([name, data]) => [name, Object.keys(data)])).toEqual([
      ["exchange-graph-database", ["url"]],
      ["exchange-graph-valkey", ["url", "valkey.conf"]],
    ]);
    expect(replicas?.applied).toEqual(overlay("replicas-valkey"));
    await startsValkey(overlay("replicas-valkey"), replicas?.secrets[1]?.[1] ?? {});
    checkout.remove();
  });

  it("have no field that the API does not have", () => {
    expect(unknown.overlays).toBe("");
  });

  it.each(OVERLAYS)("%s gives the gateway only existing settings and mounted files", (name) => {
    const settings = settingsOf(overlay(name));
    expect(VARIABLES).toEqual(expect.arrayContaining(Object.keys(settings)));
    const folder = mkdtempSync(join(tmpdir(), "settings-"));
    const accounts = copyForOwner("deploy/kubernetes/overlays/sandbox/accounts.json", folder);
    const addressIn = (file: string | undefined, name: string, address: string): string | undefined => {
      if (file) writeFileSync(join(folder, name), address, { mode: 0o600 });
      return file && join(folder, name);
    };
    const DATABASE_URL_FILE = addressIn(settings.DATABASE_URL_FILE, "database", "postgres://gateway:password@database/name");
    const REDIS_URL_FILE = addressIn(settings.REDIS_URL_FILE, "redis", "redis://:password@exchange-graph-valkey:6379/0");
    const given = { ...settings, EXCHANGE_ACCOUNTS_FILE: accounts, DATABASE_URL_FILE, REDIS_URL_FILE };
    expect(readConfig(given)).toMatchObject({ host: "0.0.0.0", exchange: {} });
    rmSync(folder, { recursive: true });
    const { containers } = deployment.parse(one(overlay(name), "Deployment").spec).template.spec;
    const [gateway] = containers;
    const mounts = gateway?.volumeMounts ?? [];
    for (const variable of Object.keys(settings).filter((setting) => /_FILE$/.test(setting)))
      expect(mounts.some(({ mountPath, readOnly }) => readOnly === true && settings[variable]?.startsWith(`${mountPath}/`))).toBe(
        true,
      );
    // With a database there is no journal on disk.
    expect(
      mounts.some(({ mountPath, readOnly }) => readOnly !== true && settings.JOURNAL_PATH?.startsWith(`${mountPath}/`)),
    ).toBe(!DATABASE_URL_FILE);
    expect(gateway?.ports.map(({ name: port, containerPort }) => [port, String(containerPort)])).toEqual([
      ["http", settings.PORT],
      ["metrics", settings.METRICS_PORT],
    ]);
  });

  it.each(OVERLAYS)("%s contains no secret", (name) => {
    expect(overlay(name).map(({ kind }) => kind)).not.toContain("Secret");
  });

  it("know the accounts of the sandbox that runs beside the gateway", () => {
    const accounts = JSON.stringify(
      SANDBOX_CREDENTIALS.map(({ name, key, secret, passphrase }) => ({ name, apiKey: key, apiSecret: secret, passphrase })),
    );
    const file = overlay("sandbox").find(({ metadata }) => metadata.name.includes("accounts"))?.data?.["accounts.json"];
    expect(JSON.parse(file ?? "")).toEqual(JSON.parse(accounts));
  });

  it("keep readers apart from the writing gateway: each selector matches only its own pods", () => {
    const podsOf = (name: Overlay) => deployment.parse(one(overlay(name), "Deployment").spec).template.metadata.labels;
    const selecting = (name: Overlay) =>
      overlay(name).flatMap(({ kind, spec }) => {
        const found = z
          .object({
            selector: z.union([z.object({ matchLabels: labels }), labels]).optional(),
            podSelector: z.object({ matchLabels: labels }).optional(),
          })
          .safeParse(spec).data;
        const selector = found?.podSelector ?? found?.selector;
        return selector === undefined ? [] : [[kind, "matchLabels" in selector ? selector.matchLabels : selector] as const];
      });
    for (const [name, other] of [
      ["exchange", "readers"],
      ["readers", "exchange"],
    ] as const) {
      const selectors = selecting(name);
      expect(selectors).toHaveLength(5);
      for (const [kind, selector] of selectors) {
        expect(podsOf(name), kind).toMatchObject(selector as object);
        expect(podsOf(other), kind).not.toMatchObject(selector as object);
      }
    }
  });

  it("record the history where it is kept", () => {
    const recording = OVERLAYS.filter((name) => settingsOf(overlay(name)).HISTORY_INTERVAL_MINUTES !== "0");
    expect(recording).toEqual(OVERLAYS.filter((name) => name !== "readers"));
  });

  it("load the rules for alerts once where readers run beside the gateway of the exchange", () => {
    const rules = (["exchange", "readers"] as const)
      .flatMap((name) => overlay(name))
      .filter(({ kind }) => kind === "PrometheusRule");
    expect(rules).toHaveLength(1);
  });
});

describeUnless(missing, "the example with a Gateway of the cluster and secrets from a store", () => {
  it("routes to a port of the Service, admits the Gateway, and makes each Secret that is mounted", () => {
    const objects = render("../examples/managed");
    const route = z
      .object({ rules: z.array(z.object({ backendRefs: z.array(z.object({ name: z.string(), port: z.number() })) })) })
      .parse(one(objects, "HTTPRoute").spec);
    const { ports } = z
      .object({ ports: z.array(z.object({ name: z.string(), port: z.number() })) })
      .parse(one(objects, "Service").spec);
    expect(route.rules.flatMap(({ backendRefs }) => backendRefs)).toEqual([
      { name: one(objects, "Service").metadata.name, port: ports.find(({ name }) => name === "http")?.port },
    ]);
    const { ingress } = z.object({ ingress: z.array(z.unknown()) }).parse(one(objects, "NetworkPolicy").spec);
    expect(JSON.stringify(ingress)).toContain('"kubernetes.io/metadata.name":"gateways"');
    const { volumes } = deployment.parse(one(objects, "Deployment").spec).template.spec;
    const mounted = volumes.flatMap(
      ({ secret }) => z.object({ secretName: z.string() }).optional().parse(secret)?.secretName ?? [],
    );
    const made = objects
      .filter(({ kind }) => kind === "ExternalSecret")
      .map(({ spec }) =>
        z.object({ target: z.object({ name: z.string() }), data: z.array(z.object({ secretKey: z.string() })) }).parse(spec),
      );
    expect(made.map(({ target }) => target.name).sort()).toEqual(mounted.sort());
    const settings = Object.values(objects.find(({ kind }) => kind === "ConfigMap")?.data ?? {});
    for (const { data } of made)
      for (const { secretKey } of data) expect(settings.some((value) => value.endsWith(`/${secretKey}`))).toBe(true);
  });
});
