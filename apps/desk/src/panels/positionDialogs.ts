export { CloseAll } from "./closeAll.js";
export { ClosePosition } from "./closePosition.js";
export { PositionExits } from "./positionExits.js";
export { PositionMargin } from "./positionMargin.js";
export { ReversePosition } from "./reversePosition.js";
