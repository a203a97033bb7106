import { fastify } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { ConfigError } from "../../../src/config/configError.js";
import { listenAt } from "../../../src/transports/http/listen.js";

const apps: ReturnType<typeof fastify>[] = [];
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

const listen = (host: string, port: number): Promise<string> => {
  const app = fastify();
  apps.push(app);
  return listenAt(app, { host, port, settings: { host: "METRICS_HOST", port: "METRICS_PORT" } }, (url) => url);
};

describe("an address that cannot be listened on", () => {
  it("names the setting of a port that is in use", async () => {
    const { port } = new URL(await listen("127.0.0.1", 0));
    await expect(listen("127.0.0.1", Number.parseInt(port, 10))).rejects.toThrow(
      new ConfigError([
        `METRICS_PORT: another program uses port ${port} of 127.0.0.1: choose another one, or 0 for any free one`,
      ]),
    );
  });

  it("names the setting of a host that is not this machine", async () => {
    await expect(listen("203.0.113.1", 0)).rejects.toThrow(
      new ConfigError(['METRICS_HOST: must be an address or a name of this machine, and is "203.0.113.1"']),
    );
  });
});
