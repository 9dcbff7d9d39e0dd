import { LRUCache } from 'lru-cache'

import type { Build } from '../../domain/build.ts'
import { findPaperTitle } from '../../domain/paper-title.ts'
import type { GitStore } from '../../git/types.ts'
import { decodeText } from '../content/decode-text.ts'
import { findFile } from '../../operations/find-file.ts'

const MAX_SOURCE_BYTES = 512 * 1024

/** Title of the root document of a tree, which never changes; `''` for none. */
const titles = new LRUCache<string, string>({ max: 5_000 })

/** The title of the paper that a build made, from its source; null when its source does not say one plainly. */
export async function findTitle(git: GitStore, build: Build): Promise<string | null> {
  const { repositoryId, treeId, commitId, rootFile } = build
  const key = `${repositoryId} ${treeId} ${rootFile}`
  const known = titles.get(key)
  if (known !== undefined) return known === '' ? null : known
  const file = await findFile(git, repositoryId, { commitId, path: rootFile })
  const bytes = file && (await git.readBlob(repositoryId, file.objectId, { maxBytes: MAX_SOURCE_BYTES }))
  const title = bytes ? findPaperTitle(decodeText(bytes)) : null
  titles.set(key, title ?? '')
  return title
}
