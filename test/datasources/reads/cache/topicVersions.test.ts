import { expect, it } from "vitest";
import { TopicVersions } from "../../../../src/datasources/reads/cache/memoryCache.js";

it("holds its bound, and never gives a topic a version again that it had before a drop", () => {
  const versions = new TopicVersions(2);
  const before = versions.of("a");
  for (const topic of ["a", "b", "c", "d"]) versions.raise(topic);
  expect(versions.of("a")).not.toBe(before);
  const dropped = versions.of("d");
  versions.raise("d");
  expect(versions.of("d")).not.toBe(dropped);
});
