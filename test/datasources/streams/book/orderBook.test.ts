import type { BookPush } from "@exchange-graph/contract/channels/book";
import { describe, expect, it } from "vitest";
import { OrderBook } from "../../../../src/datasources/streams/book/orderBook.js";

const message = (push: Partial<BookPush>): BookPush => ({
  asks: [],
  bids: [],
  seq: 100n,
  pseq: 0n,
  checksum: null,
  time: 1_000,
  ...push,
});
const SNAPSHOT = message({
  asks: [
    ["64250.10", "1"],
    ["64250.5", "2"],
  ],
  bids: [
    ["64250.0", "3"],
    ["64249.9", "4"],
  ],
});
const update = (pseq: bigint, seq: bigint, push: Partial<BookPush> = {}) => message({ pseq, seq, time: 1_000 + 10, ...push });

const started = (snapshot = SNAPSHOT): OrderBook => {
  const book = new OrderBook();
  expect(book.apply(snapshot, "snapshot")).toBe("changed");
  return book;
};
const texts = (book: OrderBook, depth: 1 | 5 | "full" = "full") => {
  const { asks, bids } = book.view(depth);
  return { asks: asks.map(({ price, qty }) => `${price}:${qty}`), bids: bids.map(({ price, qty }) => `${price}:${qty}`) };
};

describe("a book", () => {
  it("sets, changes and removes levels, best first, and shows any texts without padding", () => {
    const book = started();
    const asks = [
      ["64250.1", "0.00"],
      ["64250.3", "7.0"],
    ] as const;
    const bids = [["64249.90", "5"]] as const;
    expect(book.apply(update(100n, 101n, { asks, bids }), "update")).toBe("changed");
    expect(texts(book)).toEqual({ asks: ["64250.3:7", "64250.5:2"], bids: ["64250:3", "64249.9:5"] });
  });

  it("shows as many levels as requested, and the same object until it changes", () => {
    const book = started();
    expect(texts(book, 1)).toEqual({ asks: ["64250.1:1"], bids: ["64250:3"] });
    expect(book.view(1)).toBe(book.view(1));
    const before = book.view(1);
    book.apply(update(100n, 101n, { asks: [["64251", "1"]] }), "update");
    expect(book.view(1)).not.toBe(before);
    expect(before.asks).toEqual([{ price: "64250.1", qty: "1", rpiQty: null }]);
  });

  it("puts a snapshot in order that is not", () => {
    const book = started(
      message({
        asks: [
          ["3", "1"],
          ["2", "1"],
          ["10", "1"],
          ["2.0", "5"],
          ["4", "0"],
        ],
        bids: [
          ["1", "1"],
          ["1.5", "1"],
        ],
      }),
    );
    expect(texts(book)).toEqual({ asks: ["2:5", "3:1", "10:1"], bids: ["1.5:1", "1:1"] });
  });

  it("takes a first update that reaches back behind the snapshot, and drops older ones", () => {
    const book = started();
    expect(book.apply(update(90n, 95n), "update")).toBe("old");
    expect(book.apply(update(95n, 100n), "update")).toBe("old");
    expect(book.apply(update(98n, 103n, { asks: [["64251", "1"]] }), "update")).toBe("changed");
    expect(book.seq).toBe(103n);
  });

  it("refuses a first update that begins behind it, and a later one that does not follow on", () => {
    expect(started().apply(update(101n, 102n), "update")).toBe("gap");
    const book = started();
    book.apply(update(100n, 102n), "update");
    const before = texts(book);
    expect(book.apply(update(103n, 104n, { asks: [["1", "1"]] }), "update")).toBe("gap");
    expect(book.apply(update(101n, 104n, { asks: [["1", "1"]] }), "update")).toBe("gap");
    expect(texts(book)).toEqual(before);
  });

  it("drops what comes twice", () => {
    const book = started();
    const next = update(100n, 101n, { bids: [["64249", "9"]] });
    book.apply(next, "update");
    expect(book.apply(next, "update")).toBe("old");
  });

  it("takes a new start of the count for a gap", () => {
    expect(started().apply(update(0n, 5_000n), "update")).toBe("gap");
    expect(started().apply(update(0n, 7n), "update")).toBe("gap");
    expect(started().apply(update(6n, 7n, { time: 2_001 }), "update")).toBe("gap");
    expect(started().apply(update(6n, 7n, { time: 2_000 }), "update")).toBe("old");
    const classic = started({ ...SNAPSHOT, pseq: null });
    expect(classic.apply(update(0n, 7n, { pseq: null, time: 2_001 }), "update")).toBe("gap");
  });

  it("takes no update before a snapshot", () => {
    expect(new OrderBook().apply(update(1n, 2n), "update")).toBe("gap");
  });

  it("takes a newer snapshot in place of everything, and an older one not at all", () => {
    const book = started();
    expect(book.apply(message({ seq: 99n, time: 900 }), "snapshot")).toBe("old");
    expect(book.apply(message({ seq: 5n, time: 2_000, asks: [["7", "1"]] }), "snapshot")).toBe("changed");
    expect(texts(book)).toEqual({ asks: ["7:1"], bids: [] });
  });

  it("never becomes crossed: what would cross it changes nothing", () => {
    const book = started();
    const before = texts(book);
    const crossing = {
      asks: [["64250.4", "1"]],
      bids: [
        ["64250.10", "1"],
        ["64250.0", "0"],
      ],
    } as const;
    expect(book.apply(update(100n, 101n, crossing), "update")).toBe("crossed");
    expect(texts(book)).toEqual(before);
    expect(new OrderBook().apply(message({ asks: [["1", "1"]], bids: [["1.0", "1"]] }), "snapshot")).toBe("crossed");
  });

  it("checks the checksum where one is sent, and goes back where it is wrong", () => {
    const classic: BookPush = {
      asks: [
        ["64250.2", "1.204"],
        ["64250.5", "0.07"],
      ],
      bids: [
        ["64250.1", "0.512"],
        ["64250", "0.3"],
      ],
      checksum: 1_091_096_496,
      seq: 5n,
      pseq: null,
      time: 1_000,
    };
    const book = started(classic);
    const removal = {
      asks: [["64250.2", "0"]],
      bids: [
        ["64250.10", "9"],
        ["64000", "1"],
      ],
    } as const;
    expect(book.apply(update(0n, 6n, { ...removal, pseq: null, checksum: 1 }), "update")).toBe("checksum");
    expect(texts(book)).toEqual({ asks: ["64250.2:1.204", "64250.5:0.07"], bids: ["64250.1:0.512", "64250:0.3"] });
    // Zero means "not provided".
    expect(book.apply(update(0n, 6n, { ...removal, pseq: null, checksum: 0 }), "update")).toBe("changed");
    expect(new OrderBook().apply({ ...classic, checksum: 7 }, "snapshot")).toBe("checksum");
  });

  it("with RPI orders keeps a level until both of its sizes are zero", () => {
    const book = new OrderBook({ isRpi: true });
    book.apply(message({ asks: [["2", "1", "5"]], bids: [["1", "0", "3"]] }), "snapshot");
    book.apply(update(100n, 101n, { asks: [["2", "0", "5"]] }), "update");
    expect(book.view(5)).toMatchObject({
      asks: [{ price: "2", qty: "0", rpiQty: "5" }],
      bids: [{ price: "1", qty: "0", rpiQty: "3" }],
    });
    book.apply(update(101n, 102n, { asks: [["2.0", "0.0", "0"]] }), "update");
    expect(book.view(5).asks).toEqual([]);
  });

  it("with RPI orders may leave the number before at zero, until it begins to count", () => {
    const book = new OrderBook({ isRpi: true });
    book.apply(message({}), "snapshot");
    expect(book.apply(update(0n, 105n), "update")).toBe("changed");
    expect(book.apply(update(105n, 106n), "update")).toBe("changed");
    expect(book.apply(update(0n, 107n), "update")).toBe("gap");
  });

  it("shows no more levels than are proven: those of the checksum, where updates do not name the message before", () => {
    const asks = Array.from({ length: 40 }, (_, at) => [String(100 + at), "1"] as const);
    const book = started(message({ asks, pseq: null }));
    expect(book.view("full").asks).toHaveLength(40);
    book.apply(update(0n, 101n, { pseq: null, asks: [["99", "1"]] }), "update");
    expect(book.view("full").asks).toHaveLength(25);
    expect(book.view(50).asks).toHaveLength(25);
    expect(book.view(5).asks).toHaveLength(5);
    const numbered = started(message({ asks }));
    numbered.apply(update(100n, 101n), "update");
    expect(numbered.view("full").asks).toHaveLength(40);
  });
});
