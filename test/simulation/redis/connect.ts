import type { Connect, Connection } from "../../../packages/replicas/src/redis/redisConnection.js";
import type { Pipe } from "../pipe.js";
import { RedisError, type Reply, Status } from "./commands.js";
import type { RedisServer } from "./server.js";

/** A process's side: in the place of the client library. */
interface ProcessSide {
  readonly server: RedisServer;
  /** Opens a line to the server. */
  readonly pipe: () => Pipe;
  /** Called at the server when the process was killed. */
  readonly whenKilled: (ended: () => void) => void;
}

/** Opens connections: replies and messages arrive in order. */
export const simulatedConnect =
  ({ server, pipe, whenKilled }: ProcessSide): Connect =>
  ({ channel, received, ended }) => {
    const line = pipe();
    const rejects = new Set<(error: Error) => void>();
    const listeners = new Map<string, (message: string) => void>();
    let isOpen = false;
    const close = (why: string) => {
      isOpen = false;
      for (const reject of rejects) reject(new Error(why));
      rejects.clear();
    };
    const client = {
      channels: new Set<string>(),
      receive: (to: string, message: string) => line.back(() => listeners.get(to)?.(message)),
      cut: () =>
        line.back(() => {
          if (!isOpen) return;
          close("Socket closed unexpectedly");
          ended("Socket closed unexpectedly");
        }),
    };
    let isKilled = false;
    whenKilled(() => {
      isKilled = true;
      server.clients.delete(client);
    });
    /** Asks the server for something, and resolves to its answer. */
    const asked = <T>(execute: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        rejects.add(reject);
        line.out(() =>
          server.whenRunning(() => {
            if (!server.clients.has(client)) return;
            let answer: () => void;
            try {
              const value = execute();
              answer = () => resolve(value);
            } catch (error) {
              if (!(error instanceof RedisError)) throw error;
              answer = () => reject(error);
            }
            line.back(() => {
              rejects.delete(reject);
              answer();
            });
          }),
        );
      });
    const connection: Connection = {
      send: (command) =>
        isOpen ? asked(() => plainOf(server.execute(command))) : Promise.reject(new Error("The client is closed")),
      subscribe(to, hears) {
        listeners.set(to, hears);
        return asked(() => void client.channels.add(to));
      },
      unsubscribe(from) {
        listeners.delete(from);
        return asked(() => void client.channels.delete(from));
      },
      destroy() {
        close("The client is closed");
        line.out(() => server.clients.delete(client));
      },
    };
    return new Promise((resolve, reject) => {
      line.out(() => {
        if (server.isDown) {
          line.back(() => reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })));
          return;
        }
        server.whenRunning(() => {
          // A server that was paused finds the line closed.
          if (isKilled) return;
          server.clients.add(client);
          client.channels.add(channel);
          listeners.set(channel, received);
          line.back(() => {
            isOpen = true;
            resolve(connection);
          });
        });
      });
    });
  };

/** A reply as the client library gives it. */
export const plainOf = (reply: Reply): unknown =>
  reply instanceof Status ? reply.text : typeof reply === "object" && reply !== null ? reply.map(plainOf) : reply;
