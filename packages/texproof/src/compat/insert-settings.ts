import { renderSettings } from '../docs/render-settings.ts'

const PLACE = /(<!-- settings: [^>]*-->\n)[\s\S]*?(<!-- end of settings -->)/

/** Puts the table of settings into the place that a document keeps for it. */
export function insertSettings(document: string): string {
  return document.replace(PLACE, (_place, start: string, end: string) => `${start}\n${renderSettings()}\n${end}`)
}
