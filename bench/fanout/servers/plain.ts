import "reflect-metadata";
import { EventEmitter, on, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { useServer as serveProtocol } from "graphql-ws/use/ws";
import { Arg, buildSchema, Field, ObjectType, Query, Resolver, Root, Subscription } from "type-graphql";
import { WebSocketServer } from "ws";
import { report } from "../../child.js";
import { everyTick } from "../ticks.js";

/** A typical type-graphql subscription: events in memory, one execution per listener and event. */

@ObjectType()
class Ticker {
  @Field(() => String) symbol!: string;
  @Field(() => String) lastPrice!: string;
  @Field(() => String) bid1Price!: string;
  @Field(() => String) ask1Price!: string;
  @Field(() => String) time!: string;
}

@Resolver()
class TickerResolver {
  @Query(() => String, { nullable: true })
  hello() {
    return null;
  }
  @Subscription(() => Ticker, { topics: "ticker" })
  ticker(@Root() tick: Ticker, @Arg("symbol", () => String) _symbol: string) {
    return tick;
  }
}

const events = new EventEmitter();
events.setMaxListeners(0);
const pubSub = {
  publish: (topic: string, event: unknown) => void events.emit(topic, event),
  async *subscribe(topic: string) {
    for await (const [event] of on(events, topic)) yield event;
  },
};
const schema = await buildSchema({ resolvers: [TickerResolver], pubSub });
const server = createServer();
serveProtocol({ schema }, new WebSocketServer({ server, path: "/graphql", perMessageDeflate: false }));
everyTick((tick) => pubSub.publish("ticker", { ...tick, time: new Date(tick.time).toISOString() }));
await once(server.listen(0, "127.0.0.1"), "listening");
report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
