import { describe, expect, it } from "vitest";

/** Commands and scripts with their replies: what the product relies on of Redis, for the real one and for the simulation's. */
export function commandContract(run: (...words: readonly string[]) => Promise<unknown>): void {
  const script = (source: string, ...words: readonly string[]) => run("EVAL", source, "0", ...words);

  describe("commands", () => {
    const CASES: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
      "keep texts, for a time": [
        ["SET a 1", "OK"],
        ["SET a 2 NX", null],
        ["SET b x NX PX 60000", "OK"],
        ["GET a", "1"],
        ["INCR a", 2],
        ["INCR c", 1],
        ["GET none", null],
        ["PTTL a", -1],
        ["PTTL none", -2],
        ["PEXPIRE a 50000", 1],
        ["PEXPIRE none 50000", 0],
        ["DEL a b none", 2],
      ],
      "keep hashes": [
        ["HSET h a 1 b 2", 2],
        ["HSET h a 3 c 4", 1],
        ["HGET h a", "3"],
        ["HGET h none", null],
        ["HMGET h b none", ["2", null]],
        ["HMGET nothing b", [null]],
        ["HDEL h a b none", 2],
        ["HDEL h c", 1],
        ["PTTL h", -2],
      ],
      "keep sorted sets": [
        ["ZADD z 2 b 1 a 2 aa 3 c", 4],
        ["ZADD z NX 9 a 4 d", 1],
        ["ZADD z 5 c", 0],
        ["ZRANGE z 0 -1", ["a", "aa", "b", "d", "c"]],
        ["ZRANGE z -1 -1 WITHSCORES", ["c", "5"]],
        ["ZRANGEBYSCORE z (1 4", ["aa", "b", "d"]],
        ["ZRANGEBYSCORE z 4 +inf", ["d", "c"]],
        ["ZSCORE z b", "2"],
        ["ZSCORE z none", null],
        ["ZREMRANGEBYRANK z 0 -5", 1],
        ["ZREMRANGEBYSCORE z -inf 2", 2],
        ["ZCARD z", 2],
        ["ZREM z c none", 1],
        ["ZRANGE nothing 0 -1", []],
      ],
      "keep streams": [
        ["XADD s 1-0 t one", "1-0"],
        ["XADD s MAXLEN ~ 512 3-0 t three", "3-0"],
        [
          "XRANGE s - +",
          [
            ["1-0", ["t", "one"]],
            ["3-0", ["t", "three"]],
          ],
        ],
        ["XRANGE s (1-0 +", [["3-0", ["t", "three"]]]],
        ["XRANGE none - +", []],
      ],
      "tell who listens": [
        ["PUBLISH nobody x", 0],
        ["PUBSUB NUMSUB nobody", ["nobody", 0]],
      ],
    };

    it.each(Object.entries(CASES))("%s", async (_, commands) => {
      for (const [command, reply] of commands) {
        const words = command.split(" ");
        // Scripts see the protocol's second version, whatever the connection has.
        const given = await script("return redis.call(unpack(ARGV))", ...words);
        expect([command, given]).toEqual([command, reply]);
      }
    });

    it("refuse what does not fit", async () => {
      await run("SET", "t", "text");
      await expect(run("HGET", "t", "a")).rejects.toThrow("WRONGTYPE");
      await expect(run("INCR", "t")).rejects.toThrow("not an integer");
      await run("XADD", "s", "5-0", "t", "x");
      await expect(run("XADD", "s", "5-0", "t", "x")).rejects.toThrow("equal or smaller");
      await expect(run("EVALSHA", "0123456789012345678901234567890123456789", "0")).rejects.toThrow("NOSCRIPT");
    });
  });

  describe("scripts", () => {
    const CASES: Readonly<Record<string, readonly [source: string, reply: unknown]>> = {
      "convert numbers, texts and nil": [
        "return { 3.9, -3.9, 'x', true, 12 .. '', 'after', nil, 'lost' }",
        [3, -3, "x", 1, "12", "after"],
      ],
      "convert replies": [
        "local none = redis.call('GET', 'none'); return { none == false and 1 or 0, redis.call('SET', 'a', 1).ok, redis.call('GET', 'a') }",
        [1, "OK", "1"],
      ],
      "write numbers as their redis does": [
        "return { tostring(1/4), 1700000000123 .. ':', tostring(10 / 2), string.format('%.0f', 1700000000123456) }",
        ["0.25", "1700000000123:", "5", "1700000000123456"],
      ],
      "find, cut and match texts": [
        "local a, b = string.match('12:34', '^(%d+):(%d+)'); local at = string.find('v1 rest', ' ', 1, true); return { a, b, string.sub('v1 rest', at + 1), string.sub('abc', 1, 2), string.match('x 77', '%d+$'), string.find('none', 'x') or 'nil', string.lower('GeT') }",
        ["12", "34", "rest", "ab", "77", "nil", "get"],
      ],
      "sort with a comparison, and count": [
        "local rows = { { n = 'b', w = 2 }, { n = 'a', w = 2 }, { n = 'c', w = 1 } }; table.sort(rows, function(x, y) return x.w < y.w or (x.w == y.w and x.n < y.n) end); local names = {}; for _, row in ipairs(rows) do names[#names + 1] = row.n end; return { table.concat(names, ','), #rows, math.max(1, 5, 3), math.min(4, 2), math.floor(7 / 2), 7 % 4 }",
        ["c,a,b", 3, 5, 2, 3, 3],
      ],
      "keep what a function changes outside of it": [
        "local sum, last = 0, nil; local function add(n) if n > 3 then return end sum = sum + n; last = n end; for at = 1, 10, 2 do add(at) end; local none = #KEYS == 0 and not last == false; return { sum, last, none and 1 or 0 }",
        [4, 3, 1],
      ],
      "catch errors, and loop while something holds": [
        "redis.call('SET', 'text', 'x'); local count = 0; while true do count = count + 1; if count == 3 then break end end; local reply = redis.pcall('HGET', 'text', 'a'); return { reply.err and 1 or 0, count }",
        [1, 3],
      ],
    };

    it.each(Object.entries(CASES))("%s", async (_, [source, reply]) => {
      expect(await script(source)).toEqual(reply);
    });

    it("answer errors, and change nothing after one", async () => {
      await expect(script("return redis.error_reply('EPOCH has changed')")).rejects.toThrow(/^EPOCH has changed/);
      await expect(script("redis.call('SET', 'x', '1'); redis.call('INCR', 'x', 'y', 'z', {})")).rejects.toThrow();
      await expect(script("return 1 + {}")).rejects.toThrow(/arithmetic/);
    });
  });
}
