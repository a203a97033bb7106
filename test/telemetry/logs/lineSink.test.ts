import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@exchange-graph/contract/clock";
import { afterAll, describe, expect, it } from "vitest";
import { LineSink } from "../../../src/telemetry/logs/lineSink.js";
import { removeDisk, smallDisk } from "../../support/smallDisk.js";

const folder = mkdtempSync(join(tmpdir(), "sink-"));

const disk = smallDisk(folder, "64k");
afterAll(() => {
  removeDisk(disk);
  rmSync(folder, { recursive: true });
});

const sinkOver = (open: (options: Parameters<typeof LineSink.to>[1]) => LineSink) => {
  const clock = new ManualClock(Date.UTC(2026, 0, 5));
  return { clock, sink: open({ clock, lostLine: (lost) => `${lost} lost\n` }) };
};

describe("lines to a disk that is full", () => {
  it.skipIf(disk === undefined)(
    "are lost and counted, and the loss is reported on a separate line when there is space again",
    () => {
      const path = join(disk ?? "", "log");
      const { clock, sink } = sinkOver((options) => LineSink.append(path, false, options));
      expect(sink.put("first\n")).toBe("written");
      const filler = join(disk ?? "", "filler");
      expect(() => writeFileSync(filler, Buffer.alloc(100_000))).toThrow("ENOSPC");
      expect([sink.put(`${"x".repeat(8_000)}\n`), sink.put(`${"y".repeat(8_000)}\n`)]).toEqual(["lost", "lost"]);
      expect(sink.lost).toBe(2);
      clock.advance(5_000);
      unlinkSync(filler);
      clock.advance(1_000);
      expect(sink.put("last\n")).toBe("written");
      const lines = readFileSync(path, "utf8").split("\n");
      expect([lines[0], ...lines.slice(-3)]).toEqual(["first", "2 lost", "last", ""]);
      expect(sink.lost).toBe(2);
    },
  );
});

describe("lines to a pipe", () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);

  it("without a reader are buffered up to a bound, then lost; a later reader gets all buffered lines whole", () => {
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    const { clock, sink } = sinkOver((options) => LineSink.to(writer, options));
    const line = (at: number) => `${at} ${"x".repeat(9_990)}\n`;
    const became = Array.from({ length: 150 }, (_, at) => sink.put(line(at)));
    expect([became[0], became[20], became[149]]).toEqual(["written", "kept", "lost"]);
    const kept = became.lastIndexOf("kept") + 1;
    expect(sink.lost).toBe(150 - kept);
    let text = "";
    const bytes = Buffer.alloc(65_536);
    for (let round = 0; round < 60; round++) {
      try {
        for (let read = readSync(reader, bytes); read > 0; read = readSync(reader, bytes))
          text += bytes.toString("utf8", 0, read);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      }
      clock.advance(500);
    }
    expect(text).toBe(`${Array.from({ length: kept }, (_, at) => line(at)).join("")}${150 - kept} lost\n`);
    closeSync(reader);
    expect(sink.put("after the reader has gone\n")).toBe("lost");
    closeSync(writer);
  });
});

it("a file that is moved away is followed by a new one, its owner's alone", () => {
  const path = join(folder, "log");
  const { clock, sink } = sinkOver((options) => LineSink.append(path, false, options));
  sink.put("one\n");
  unlinkSync(path);
  clock.advance(1_000);
  sink.put("two\n");
  expect(readFileSync(path, "utf8")).toBe("two\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
