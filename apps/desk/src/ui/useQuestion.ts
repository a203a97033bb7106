import { useState } from "react";
import { line } from "../graph/session.js";
import { useStore } from "../state/store.js";

/** The question that was asked. It ends when the line to the gateway is lost, or back: the market has moved, and it is asked anew. */
export function useQuestion<Question>() {
  const { since } = useStore(line);
  const [asked, ask] = useState<{ readonly question: Question | undefined; readonly since: number }>();
  return [asked?.since === since ? asked.question : undefined, (question?: Question) => ask({ question, since })] as const;
}
