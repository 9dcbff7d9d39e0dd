import type { Recorder } from '../read-recorder.ts'
import { toWorkspacePath } from '../job-paths.ts'

/**
 * Reads the `make` rules that Tectonic writes instead of a recorder file: `outputs : inputs`, one input per line.
 *
 * Names of the bundle are mixed with names of the workspace, so only files of the job count as inputs. Tectonic omits
 * `.tex` if the document does.
 */
export function readMakefileRules(
  text: string,
  { folder, givenFiles }: { readonly folder: string; readonly givenFiles: ReadonlySet<string> },
): Recorder {
  const [left = '', right = ''] = splitRule(text)
  const inputNames = words(right)
  const inputs = new Set(inWorkspace(inputNames, folder).filter((path) => givenFiles.has(path)))
  return {
    workingDir: null,
    names: inputNames.flatMap((name) => (name.endsWith('.tex') ? [name, name.slice(0, -'.tex'.length)] : [name])),
    inputs,
    needed: inputs,
    outputs: new Set(inWorkspace(words(left), folder)),
  }
}

function splitRule(text: string): readonly [string, string] {
  const at = text.indexOf(' : ')
  return at === -1 ? ['', ''] : [text.slice(0, at), text.slice(at + 3)]
}

/** Spaces in a name are escaped with a backslash, as is the end of every line but the last. */
function words(text: string): string[] {
  const joined = text.replaceAll(/\\\r?\n/g, ' ')
  return [...joined.matchAll(/(?:\\.|[^\s\\])+/g)].map(([word]) => word.replaceAll(/\\(.)/g, '$1'))
}

function inWorkspace(names: readonly string[], folder: string): string[] {
  return names.map((name) => toWorkspacePath(name, folder)).filter((path) => path !== null)
}
