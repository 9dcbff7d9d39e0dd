import { allSettings } from '../config/settings.ts'
import type { SettingKey } from '../config/settings.ts'

/** Defaults that depend on the machine or on other settings. */
const DEPENDENT_DEFAULTS: Readonly<Record<string, string> & Partial<Record<SettingKey, string>>> = {
  'build.concurrency': 'number of processors',
  'log.format': '`pretty` on a terminal, else `json`',
  base_url: 'from `listen`',
  name: 'from `base_url`',
}

/** The settings of a host as a Markdown table. */
export function renderSettings(): string {
  const rows = allSettings.map(({ key, variable, fallback, isSecret, description, expects }) => {
    const shown = DEPENDENT_DEFAULTS[key] ?? (fallback === null ? '' : `\`${fallback}\``)
    const secret = isSecret ? ` Secret: \`${variable}_FILE\` can name a file that contains it.` : ''
    return `| \`${key}\` | ${shown} | ${description}. Value: ${expects}.${secret} |`
  })
  return ['| Key | Default | Description |', '|---|---|---|', ...rows].join('\n')
}
