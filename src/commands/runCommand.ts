import { type Environment, readEnvironment } from "../config/environment.js";
import { heldOpen } from "./heldOpen.js";

/** Runs a command. An error that ends it is written without its stack, with what `advice` adds, and `exitCode` tells of it. */
export function runCommand(
  command: (variables: Environment["variables"]) => void | Promise<void>,
  exitCode: number,
  advice: (error: Error) => string = () => "",
): void {
  heldOpen(async () => {
    // biome-ignore lint/style/noProcessEnv: a process of its own, which reads its environment once
    await command(readEnvironment(process.env).variables);
  }).catch((error: unknown) => {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`${error.message}\n${advice(error)}`);
    process.exitCode = exitCode;
  });
}
