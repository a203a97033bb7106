import type { Page } from "playwright-core";

/** The editor of the document. */
export const QUERY = ".graphiql-query-editor";

/** Replaces the text of an editor. */
export async function write(page: Page, editor: string, text: string): Promise<void> {
  await page.locator(editor).click();
  await page.locator(`${editor} .monaco-editor.focused`).waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}
