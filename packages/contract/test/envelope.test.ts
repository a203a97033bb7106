import { describe, expect, it } from "vitest";
import { readEnvelope } from "../src/envelope.js";

describe("an answer's envelope", () => {
  it("is read whole", () => {
    expect(readEnvelope('{"code":"00000","msg":"success","requestTime":1767225600000,"data":{"a":1}}')).toEqual({
      code: "00000",
      msg: "success",
      requestTime: 1767225600000,
      data: { a: 1 },
    });
  });

  it("may lack the time, the text and the payload", () => {
    expect(readEnvelope('{"code":"00000"}')).toEqual({ code: "00000", msg: "", requestTime: undefined, data: undefined });
  });

  it("may carry its text as `message`", () => {
    expect(readEnvelope('{"code":"40001","message":"no key"}')?.msg).toBe("no key");
  });

  it("may carry a bare number as code, and its time as text", () => {
    expect(readEnvelope('{"code":429,"msg":null,"requestTime":"1767225600000"}')).toMatchObject({
      code: "429",
      msg: "",
      requestTime: 1767225600000,
    });
  });

  it.each(['"soon"', "1.5", "1e400", "{}", "true"])("has no time when it says %s", (requestTime) => {
    expect(readEnvelope(`{"code":"00000","requestTime":${requestTime}}`)?.requestTime).toBeUndefined();
  });

  it("keeps the digits of long numbers in the payload", () => {
    expect(readEnvelope('{"code":"00000","data":{"seq":1391230000000005001}}')?.data).toEqual({ seq: "1391230000000005001" });
  });

  it.each([
    ["an empty body", ""],
    ["white space", " \n"],
    ["a page of HTML", "<html><body>502 Bad Gateway</body></html>"],
    ["a body cut off", '{"code":"00000","data":[{"orderId":"139'],
    ["two bodies", '{"code":"00000"}{"code":"00000"}'],
    ["a list", '[{"code":"00000"}]'],
    ["a text", '"00000"'],
    ["null", "null"],
    ["an object without a code", '{"msg":"success"}'],
    ["a code of another kind", '{"code":true}'],
  ])("is not %s", (_, body) => {
    expect(readEnvelope(body)).toBeUndefined();
  });
});
