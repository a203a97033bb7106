/** Loads all enums, so that `enumOf` finds them. */
import "./account.js";
import "./broker.js";
import "./order.js";
import "./category.js";
import "./exchange.js";
import "./financialRecord.js";
import "./history.js";
import "./instrument.js";
import "./loan.js";
import "./market.js";
import "./plan.js";
import "./position.js";
import "./earn.js";
import "./wallet.js";
import "./write.js";
