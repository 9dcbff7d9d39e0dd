import type { Page } from 'playwright-core'

/** Replaces the text on an editor page: in the editor by a paste, without script in the field itself. */
export async function fillText(page: Page, text: string, hasScript = true): Promise<void> {
  if (!hasScript) return page.fill('#text', text)
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+A')
  if (text === '') return page.keyboard.press('Delete')
  await page.locator('.cm-content').evaluate(paste, text)
}

/** Shows path, message and branch of the commit, which are always shown without script. */
export async function openCommit(page: Page, hasScript = true): Promise<void> {
  if (hasScript) await page.click('[data-open-commit][aria-expanded=false]')
}

/** The text that the form on an editor page would send, with `\n` line ends. */
export async function readText(page: Page, hasScript = true): Promise<string> {
  if (hasScript) await page.locator('.cm-content').waitFor()
  return page.locator('#text').evaluate(fieldValue)
}

interface PastingWindow {
  readonly DataTransfer: new () => { setData(type: string, value: string): void }
  readonly ClipboardEvent: new (type: string, init: object) => unknown
}

/** Runs in the page. */
function paste(content: unknown, text: string): void {
  const { DataTransfer, ClipboardEvent } = globalThis as unknown as PastingWindow
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
  ;(content as { dispatchEvent(event: unknown): void }).dispatchEvent(event)
}

/** Runs in the page. */
function fieldValue(field: unknown): string {
  const { form, name } = field as { readonly form: object; readonly name: string }
  const data = new (globalThis as unknown as { FormData: new (form: object) => FormData }).FormData(form)
  return String(data.get(name)).replaceAll('\r\n', '\n')
}
