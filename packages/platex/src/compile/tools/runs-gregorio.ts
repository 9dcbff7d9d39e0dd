import type { Sandbox } from '../../sandbox/types.ts'

/** The part of a job that decides. */
export interface GregorioJob {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly sandbox: Pick<Sandbox, 'kind' | 'has'>
}

const answers = new WeakMap<ReadonlyMap<string, Uint8Array>, boolean>()

/**
 * Whether LuaLaTeX may start `gregorio`, and nothing else: `\gabcsnippet` converts the text of its argument while TeX runs.
 * TeX itself allows that by default. Only inside of bubblewrap, where the program can do no more than LuaTeX.
 */
export function runsGregorio({ files, sandbox }: GregorioJob): boolean {
  if (sandbox.kind !== 'bubblewrap' || !sandbox.has('gregorio')) return false
  const known = answers.get(files)
  if (known !== undefined) return known
  const found = [...files.values()].some((bytes) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('gabcsnippet'),
  )
  answers.set(files, found)
  return found
}
