import { createHash } from 'node:crypto'

import type { Files, HostileInput } from './hostile-input.ts'

/** The history of an input for `git fast-import`, which accepts names and messages that no working copy can contain. */
export function encodeHistory({ commits, tags = {}, branchCount = 0 }: HostileInput): Buffer {
  const parts: Buffer[] = []
  const text = (value: string): void => void parts.push(Buffer.from(value))
  const counted = (value: string | Uint8Array): void => {
    const bytes = Buffer.from(value)
    text(`data ${bytes.byteLength}\n`)
    parts.push(bytes)
    text('\n')
  }
  for (const [at, { files, links = {}, copies, message = 'Change', author = 'Bob' }] of commits.entries()) {
    text(`commit refs/heads/main\nmark :${at + 1}\n`)
    const when = `${1_700_000_000 + at} +0000`
    text(`author ${author} <bob@example.org> ${when}\ncommitter Bob <bob@example.org> ${when}\n`)
    counted(message)
    if (at > 0) text(`from :${at}\n`)
    for (const [path, content] of Object.entries(files)) {
      text(`M 100644 inline ${quote(path)}\n`)
      counted(content)
    }
    for (const [path, target] of Object.entries(links)) {
      text(`M 120000 inline ${quote(path)}\n`)
      counted(target)
    }
    if (copies === undefined) continue
    const treeId = idOfFolder(copies.folder, commits[at - 1]?.files ?? {})
    for (let n = 0; n < copies.count; n += 1) text(`M 040000 ${treeId} ${copies.folder}-${n}\n`)
  }
  for (const [name, message] of Object.entries(tags)) {
    text(`tag ${name}\nfrom :${commits.length}\ntagger Bob <bob@example.org> 1700000000 +0000\n`)
    counted(message)
  }
  for (let n = 0; n < branchCount; n += 1) text(`reset refs/heads/b/${n}\nfrom :${commits.length}\n\n`)
  return Buffer.concat(parts)
}

/** git stores a folder once, so any number of copies costs a name each. */
function idOfFolder(folder: string, files: Files): string {
  const entries = Object.entries(files)
    .filter(([path]) => path.startsWith(`${folder}/`))
    .map(([path, content]) => ({ name: path.slice(folder.length + 1), content: Buffer.from(content) }))
    .sort((left, right) => Buffer.compare(Buffer.from(left.name), Buffer.from(right.name)))
    .map(({ name, content }) => Buffer.concat([Buffer.from(`100644 ${name}\0`), hashObject('blob', content)]))
  return hashObject('tree', Buffer.concat(entries)).toString('hex')
}

function hashObject(type: 'blob' | 'tree', content: Buffer): Buffer {
  return createHash('sha1').update(`${type} ${content.byteLength}\0`).update(content).digest()
}

function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}
