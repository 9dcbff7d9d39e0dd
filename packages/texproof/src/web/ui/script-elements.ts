import { html } from 'hono/html'

import { scriptPath, type ScriptName } from '../assets/assets.ts'
import type { Html } from './html.ts'

/** The elements that load scripts of a page. */
export function scriptElements(names: readonly ScriptName[]): readonly Html[] {
  // Not `</script>`: rolldown would replace a template with this text by a call of a package that is not installed.
  return names.map((name) => html`<script type="module" src="${scriptPath(name)}"></${'script'}>`)
}
