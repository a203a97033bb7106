import { expect, it } from "vitest";
import { describeUnless } from "../../../../test/support/missing.js";
import { noRedis } from "../../../../test/support/redisServer.js";
import { RedisEventLog } from "../../src/redis/redisEventLog.js";
import { engineOf, fileRedis } from "./support.js";

describeUnless(noRedis, "the latest events of streams in Redis", () => {
  const server = fileRedis();

  it("is the same for all replicas, in any order in which entries reach them", async () => {
    const [one, other] = [new RedisEventLog(await engineOf(server.url)), new RedisEventLog(await engineOf(server.url))];
    const entry = (id: string) => ({ id, kind: "event", time: 1, event: { id } }) as const;
    await one.append("t", undefined, [entry("a")], "anyone");
    await Promise.all([
      one.append("t", "a", [entry("b"), entry("c")], "anyone"),
      other.append("t", "a", [entry("c"), entry("b")], "anyone"),
    ]);
    expect((await other.read("t")).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  it("is written by one of them, until that gives it up", async () => {
    const [one, other] = [new RedisEventLog(await engineOf(server.url)), new RedisEventLog(await engineOf(server.url))];
    const entry = (id: string) => ({ id, kind: "event", time: 1, event: { id } }) as const;
    const ids = async () => (await one.read("t")).map(({ id }) => id);
    expect(await one.append("t", undefined, [entry("a")], "writer")).toEqual({ isAdded: true, isWriter: true });
    expect(await other.append("t", "a", [entry("b")], "writer")).toEqual({ isAdded: false, isWriter: false });
    expect(await ids()).toEqual(["a"]);
    expect(await other.append("t", "a", [entry("c")], "anyone")).toEqual({ isAdded: true, isWriter: false });
    expect(await ids()).toEqual(["a", "c"]);
    await other.release("t");
    expect(await other.append("t", "c", [], "writer")).toEqual({ isAdded: false, isWriter: false });
    await one.release("t");
    expect(await other.append("t", "c", [entry("d")], "writer")).toEqual({ isAdded: true, isWriter: true });
    expect(await one.append("t", "d", [entry("e")], "writer")).toEqual({ isAdded: false, isWriter: false });
    expect(await ids()).toEqual(["a", "c", "d"]);
  });
});
