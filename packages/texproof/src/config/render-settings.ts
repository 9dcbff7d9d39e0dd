import { settings } from './settings.ts'

/** Defaults that depend on the machine or on how the host is started, in words. */
const MOVING: Readonly<Record<string, string>> = {
  'build.concurrency': 'as many as the machine has cores',
  'log.format': '`pretty` on a terminal, else `json`',
  base_url: 'from `listen`',
}

/** Every setting as a table in Markdown: key, default, what its text looks like, what it means. */
export function renderSettings(): string {
  const rows = Object.values(settings).map(({ key, fallback, expects, meaning, isSecret }) => {
    const usual = MOVING[key] ?? (fallback === null ? 'none' : `\`${fallback}\``)
    const cells = [`\`${key}\``, usual, expects, `${meaning}${isSecret ? ' (secret)' : ''}`]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return ['| Key | Default | Text | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n')
}
