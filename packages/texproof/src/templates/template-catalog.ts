import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder of texts, keyed by file name without the extension. */
export interface TemplateCatalog {
  readonly names: ReadonlySet<string>
  /** Null for an unknown name. */
  read(name: string): Promise<string | null>
}

/** Display names: `TeX`, `Node`, `VisualStudio`. Case-sensitive. */
export const gitignoreTemplates: TemplateCatalog = openCatalog('gitignore', '.gitignore')

/** Lower-case keys: `mit`, `cc-by-4.0`. */
export const licenseTemplates: TemplateCatalog = openCatalog('licenses', '.txt')

function openCatalog(folder: string, extension: string): TemplateCatalog {
  const path = join(import.meta.dirname, folder)
  const files = readdirSync(path).filter((file) => file.endsWith(extension))
  const names = new Set(files.map((file) => file.slice(0, -extension.length)))
  return {
    names,
    async read(name) {
      return names.has(name) ? readFile(join(path, name + extension), 'utf8') : null
    },
  }
}
