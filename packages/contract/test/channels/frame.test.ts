import { describe, expect, it } from "vitest";
import { type Frame, loginFrame, readFrame, requestFrame } from "../../src/channels/frame.js";
import samples from "../samples/frame.json" with { type: "json" };

const TICKER = { instType: "SPOT", channel: "ticker", instId: "BTCUSDT" };
const KLINE = { instType: "spot", topic: "kline", symbol: "BTCUSDT", interval: "1m" };
const read = (frame: object): Frame => readFrame(JSON.stringify(frame));

describe("frames that we send", () => {
  it("log in with seconds and the signature of the fixed path", () => {
    const key = { apiKey: "bg_testkey_0001", secret: "test-secret-0123456789abcdef", passphrase: "testpass01" };
    expect(JSON.parse(loginFrame(key, 1_700_000_000_999))).toEqual(
      samples["log in with seconds and the signature of the fixed path"],
    );
  });

  it("carry several arguments at once", () => {
    expect(JSON.parse(requestFrame("unsubscribe", [TICKER, KLINE]))).toEqual({ op: "unsubscribe", args: [TICKER, KLINE] });
  });
});

describe("frames that we read", () => {
  it.each([
    ["the bare pong", "pong", { kind: "pong" }],
    ["a login, its code a number", '{"event":"login","code":0,"msg":""}', { kind: "login" }],
    ["a login, its code text", '{"event":"login","code":"0","connId":"6f1c"}', { kind: "login" }],
    ["an ack of v2", JSON.stringify({ event: "subscribe", arg: TICKER }), { kind: "ack", op: "subscribe", args: [TICKER] }],
    [
      "an ack of v3",
      JSON.stringify({ event: "unsubscribe", arg: KLINE, connId: "6f1c" }),
      { kind: "ack", op: "unsubscribe", args: [KLINE] },
    ],
    [
      "an ack that echoes its request",
      JSON.stringify({ op: "unsubscribe", args: [TICKER, TICKER] }),
      { kind: "ack", op: "unsubscribe", args: [TICKER, TICKER] },
    ],
  ])("are %s", (_, text, frame) => {
    expect(readFrame(text)).toEqual(frame);
  });

  it("name the refused argument of v2, which is part of the text", () => {
    const msg = "instType:sp,channel:candleundefined,instId:BTCUSDT doesn't exist";
    expect(read({ event: "error", code: 30001, msg })).toEqual({
      kind: "error",
      code: "30001",
      msg,
      op: undefined,
      argument: { instType: "sp", channel: "candleundefined", instId: "BTCUSDT" },
    });
  });

  it("name the refused argument of v3, which is in the text as JSON", () => {
    const msg = '{"instType":"usdt-futures","symbol":"NOSUCHSYMBOL","topic":"ticker"} doesn\'t exist';
    expect(read({ event: "error", code: "30001", msg, connId: "6f1c" })).toMatchObject({
      code: "30001",
      argument: { instType: "usdt-futures", symbol: "NOSUCHSYMBOL", topic: "ticker" },
    });
  });

  it("prefer the argument that an error carries as such", () => {
    expect(read({ event: "error", code: 30001, msg: "no", arg: TICKER })).toMatchObject({ argument: TICKER });
  });

  it("leave open which argument an error is about when it does not say", () => {
    expect(read({ event: "error", code: 30016, msg: "Param error", op: "subscribe" })).toEqual({
      kind: "error",
      code: "30016",
      msg: "Param error",
      op: "subscribe",
      argument: undefined,
    });
    expect(read({ event: "error", code: 30016, msg: "{oops}" })).toMatchObject({ argument: undefined });
  });

  it("take a login with another code for a refusal", () => {
    expect(read({ event: "login", code: 30005, msg: "no" })).toMatchObject({ kind: "error", code: "30005", op: "login" });
  });

  it("keep all nineteen digits of a sequence number", () => {
    const frame = readFrame(
      '{"data":[{"a":[],"b":[],"seq":1391230000000000125,"ts":"1"}],"arg":{"topic":"books"},"action":"update","ts":1767225600269}',
    );
    expect(frame).toMatchObject({ kind: "push", push: { time: 1_767_225_600_269, data: [{ seq: "1391230000000000125" }] } });
  });

  it.each(["", '"ts":"",', '"ts":"soon",'])("do not need the time of a push: %s", (ts) => {
    expect(readFrame(`{${ts}"data":[],"action":"update","arg":{"topic":"order"}}`)).toMatchObject({
      kind: "push",
      push: { time: null },
    });
  });

  it("read one bare record as a list of one, and a time that is text", () => {
    expect(read({ action: "update", arg: KLINE, data: { a: 1 }, ts: "1767225600269" })).toMatchObject({
      kind: "push",
      push: { data: [{ a: 1 }], time: 1_767_225_600_269 },
    });
  });

  it.each([
    ["cut off JSON", '{"event":"err'],
    ["no object", "[1]"],
    ["an unknown event", '{"event":"trade"}'],
    ["a push without an argument", '{"data":[],"action":"snapshot","ts":1}'],
    ["a push of an unknown action", '{"data":[],"action":"delta","arg":{},"ts":1}'],
    ["an ack without an argument", '{"event":"subscribe"}'],
    ["nothing", ""],
  ])("say so when they cannot be read: %s", (_, text) => {
    expect(readFrame(text)).toEqual({ kind: "unreadable" });
  });
});
