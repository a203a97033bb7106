import { MessageChannel } from "node:worker_threads";

/**
 * Runs a program, and keeps the process alive until it has ended. The timers of the system clock do not: a program that waits for
 * nothing but a timer, such as before another attempt to reach a server, would end there, silently and with code 0.
 */
export async function heldOpen<T>(program: () => Promise<T>): Promise<T> {
  const { port1 } = new MessageChannel();
  port1.ref();
  try {
    return await program();
  } finally {
    port1.close();
  }
}
