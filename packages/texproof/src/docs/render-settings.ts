import { settings } from '../config/settings.ts'
import type { SettingName } from '../config/read-config.ts'

/** Defaults that depend on where the host runs. */
const DEPENDING: Partial<Record<SettingName, string>> = {
  buildConcurrency: 'one a processor',
  logFormat: '`pretty` on a terminal, else `json`',
  baseUrl: 'from `listen`',
  name: 'from `base_url`',
}

/** The settings of a host in Markdown, from the table that the host itself reads. */
export function renderSettings(): string {
  const rows = Object.entries(settings).map(([name, row]) => {
    const depending = Object.entries(DEPENDING).find(([each]) => each === name)?.[1]
    const fallback = depending ?? (row.fallback === null ? '' : `\`${row.fallback}\``)
    const secret = row.isSecret ? ` A secret: \`${row.variable}_FILE\` may name a file that holds it.` : ''
    return `| \`${row.key}\` | ${fallback} | ${row.meaning}; ${row.expects}.${secret} |`
  })
  return ['| Key | Default | |', '|---|---|---|', ...rows].join('\n')
}
