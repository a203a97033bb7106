import { ConversionsPanel } from "../panels/convert/conversions.js";
import { ConvertPanel } from "../panels/convert/converter.js";
import { t } from "../text/text.js";
import { Board } from "../ui/board.js";

/** Conversions of one coin to another. */
export const Convert = () => (
  <>
    <h1 className="hidden">{t("Convert")}</h1>
    <Board
      tiles={[
        { id: "Convert", w: 8, panel: <ConvertPanel /> },
        { id: "Conversions", w: 16, panel: <ConversionsPanel /> },
      ]}
    />
  </>
);
