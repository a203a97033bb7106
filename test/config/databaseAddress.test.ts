import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { readDatabaseAddress } from "../../src/config/databaseAddress.js";

const shown = (url: string) => {
  const address = readDatabaseAddress(url);
  return "mistake" in address ? address.mistake : { ...address, password: address.password?.reveal() };
};
const local = { host: "127.0.0.1", port: 5432, database: "eg", user: "gate", password: "p@ss", rootCertificates: undefined };

describe("the address of a database", () => {
  it.each([
    ["on this machine", "postgres://gate:p%40ss@127.0.0.1/eg", { ...local, tls: "off" }],
    [
      "on another one, with TLS",
      "postgresql://gate:p%40ss@db.example.com/eg",
      { ...local, host: "db.example.com", tls: "verify" },
    ],
    ["with TLS by any certificate", "postgres://gate:p%40ss@127.0.0.1/eg?sslmode=require", { ...local, tls: "unverified" }],
    [
      "with its own root certificates",
      "postgres://gate:p%40ss@10.0.0.7:6432/eg?sslmode=verify-full&sslrootcert=/run/ca.pem",
      { ...local, host: "10.0.0.7", port: 6432, tls: "verify", rootCertificates: "/run/ca.pem" },
    ],
    ["in the clear, where that is said", "postgres://gate:p%40ss@db/eg?sslmode=disable", { ...local, host: "db", tls: "off" }],
    ["over IPv6", "postgres://gate:p%40ss@[::1]/eg", { ...local, host: "::1", tls: "off" }],
    [
      "of a Unix socket",
      "postgres://gate@localhost/eg?host=/run/pg",
      { ...local, host: "/run/pg", password: undefined, tls: "off" },
    ],
  ])("%s", (_, url, address) => expect(shown(url)).toEqual(address));

  it.each([
    ["another scheme", "mysql://gate:p4ssw0rd@db/eg"],
    ["no user", "postgres://:p4ssw0rd@db/eg"],
    ["no database", "postgres://gate:p4ssw0rd@db"],
    ["no text that can be decoded", "postgres://gate:p4ssw0rd%zz@db/eg"],
    ["another parameter", "postgres://gate:p4ssw0rd@db/eg?options=-csynchronous_commit=off"],
    ["another mode of TLS", "postgres://gate:p4ssw0rd@db/eg?sslmode=prefer"],
    ["no address at all", "p4ssw0rd"],
  ])("with %s is a mistake, which quotes nothing of it", (_, url) => {
    expect(shown(url)).toMatch(/^must /);
    expect(shown(url)).not.toContain("p4ssw0rd");
  });

  it("shows no password", () => {
    expect(inspect(readDatabaseAddress("postgres://gate:p4ssw0rd@db/eg"), { depth: 9 })).not.toContain("p4ssw0rd");
  });
});
