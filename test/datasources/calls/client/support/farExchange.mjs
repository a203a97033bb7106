// A sandbox behind TLS, at the far end of a cable. Says when an order has come in, and how many there are when asked.
// Runs what was built.
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { createServer } from "node:tls";
import { startSandbox } from "@exchange-graph/sandbox";

const { host, key, cert } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${line}\n`);

const sandbox = await startSandbox({ seed: "far", hasPast: false });
const { port } = new URL(sandbox.url);
const front = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
  const inner = connect(port, "127.0.0.1");
  socket.pipe(inner).pipe(socket);
  for (const one of [socket, inner]) one.on("error", () => undefined);
  socket.on("data", (part) => {
    if (String(part).includes("place-order")) say("order");
  });
});
front.listen(0, host, () => say(`https://${host}:${front.address().port}`));

createInterface(process.stdin).on("line", () => say(String(sandbox.calls.of("placeOrder").succeeded)));
