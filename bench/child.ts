import { type ChildProcess, fork, type Serializable } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { z } from "zod";

/** Resources that a measured process has used since the previous query. */
export interface Usage {
  readonly cpuMs: number;
  readonly rssMb: number;
  /** Calls that it has received, if it counts them. */
  readonly calls: number;
}

const listening = z.object({ url: z.string() });
const usage = z.object({ cpuMs: z.number(), rssMb: z.number(), calls: z.number() });

/** A server in a child process, so that its CPU time and memory can be measured separately. */
export class Child {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Starts a module, by its path relative to this file. It must call `report` once it listens. */
  static async start(module: string, ...args: readonly string[]): Promise<Child> {
    const path = fileURLToPath(new URL(module, import.meta.url));
    // Without the Node.js flags of the parent, since source maps take memory; in production mode.
    const child = fork(path, args, {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      execArgv: [],
      env: { ...process.env, NODE_ENV: "production" },
    });
    const ended = once(child, "exit").then(([code]): never => {
      throw new Error(`${module} ended with ${code} before it listened`);
    });
    const [message] = await Promise.race([once(child, "message"), ended]);
    return new Child(child, listening.parse(message).url);
  }

  usage(): Promise<Usage> {
    return this.ask("usage", usage);
  }

  /** Sends a message to the child, and returns its validated answer. */
  async ask<T>(message: Serializable, shape: z.ZodType<T>): Promise<T> {
    const answer = once(this.child, "message");
    this.child.send(message);
    return shape.parse((await answer)[0]);
  }

  /** Memory after a garbage collection: V8's heap and buffers, kB. */
  async heldKb(): Promise<number> {
    return (await this.ask("held", z.object({ heldKb: z.number() }))).heldKb;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Sets the rate, per second, at which the child pushes events or opens connections. */
  begin(perSecond: number): void {
    this.child.send(perSecond);
  }

  async stop(): Promise<void> {
    const gone = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await gone;
  }
}

/** For the child process: reports its address, and answers queries of its resource usage. */
export function report(url: string, calls: () => number = () => 0): void {
  let before = process.cpuUsage();
  let callsBefore = 0;
  process.on("message", (message) => {
    if (message === "held") {
      setFlagsFromString("--expose-gc");
      z.custom<() => void>((gc) => typeof gc === "function").parse(runInNewContext("gc"))();
      const { heapUsed, external } = process.memoryUsage();
      process.send?.({ heldKb: (heapUsed + external) / 1_024 });
    }
    if (message !== "usage") return;
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    const all = calls();
    process.send?.({ cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / 1_048_576, calls: all - callsBefore });
    callsBefore = all;
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.({ url });
}
