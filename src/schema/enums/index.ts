/** Loads all enums, so that `enumOf` finds them. */
import "./account.js";
import "./bookDepth.js";
import "./broker.js";
import "./order.js";
import "./candle.js";
import "./category.js";
import "./exchange.js";
import "./instrument.js";
import "./loan.js";
import "./market.js";
import "./pair.js";
import "./plan.js";
import "./position.js";
import "./savings.js";
import "./sharkFin.js";
import "./wallet.js";
import "./write.js";
