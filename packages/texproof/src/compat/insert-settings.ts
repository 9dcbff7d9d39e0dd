import { renderSettings } from '../docs/render-settings.ts'

const PLACE = /(<!-- settings: [^>]*-->\n)[\s\S]*?(<!-- end of settings -->)/

/** Inserts the table of settings at its placeholder in a document. */
export function insertSettings(document: string): string {
  return document.replace(PLACE, (_place, start: string, end: string) => `${start}\n${renderSettings()}\n${end}`)
}
