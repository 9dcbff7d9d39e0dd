import { isObjectId } from '../is-object-id.ts'
import { runGit } from '../process/run-git.ts'
import type { GitPerson } from '../types.ts'

/** An annotated tag. A ref must point to it before git collects garbage. */
export interface NewTagObject {
  /** Short name of the tag. */
  readonly name: string
  readonly commitId: string
  readonly message: string
  readonly tagger: GitPerson
}

const TIMEOUT_MS = 30_000

/**
 * Writes the object of an annotated tag, which git checks, and returns its id.
 *
 * @throws Error when git refuses it.
 */
export async function createTagObject(
  gitDir: string,
  { name, commitId, message, tagger, searchPath }: NewTagObject & { readonly searchPath: string },
): Promise<string> {
  const person = `${oneLine(tagger.name)} <${oneLine(tagger.email)}> ${Math.floor(tagger.at / 1_000)} +0000`
  const text = message.toWellFormed().replaceAll('\0', '').replaceAll('\r\n', '\n').trimEnd()
  const input = `object ${commitId}\ntype commit\ntag ${name}\ntagger ${person}\n\n${text}\n`
  const run = await runGit(['mktag'], { gitDir, searchPath, input, timeoutMs: TIMEOUT_MS, maxOutputBytes: 4_096 })
  const objectId = run.kind === 'exited' ? run.stdout.toString().trim() : ''
  if (run.kind === 'exited' && run.exitCode === 0 && isObjectId(objectId)) return objectId
  throw new Error(`create a tag: ${run.kind === 'exited' ? run.stderr.trim() : run.kind}`)
}

/** The characters that delimit a person in an object. */
function oneLine(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(/[\0\r\n<>]/g, ' ')
      .trim() || 'unknown'
  )
}
