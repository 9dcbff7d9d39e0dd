import type { HostileInput } from './hostile-input.ts'

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
  for (const [at, { files, message = 'Change', author = 'Bob' }] of commits.entries()) {
    text(`commit refs/heads/main\nmark :${at + 1}\n`)
    const when = `${1_700_000_000 + at} +0000`
    text(`author ${author} <bob@example.org> ${when}\ncommitter Bob <bob@example.org> ${when}\n`)
    counted(message)
    if (at > 0) text(`from :${at}\n`)
    for (const [path, content] of Object.entries(files)) {
      text(`M 100644 inline ${quote(path)}\n`)
      counted(content)
    }
  }
  for (const [name, message] of Object.entries(tags)) {
    text(`tag ${name}\nfrom :${commits.length}\ntagger Bob <bob@example.org> 1700000000 +0000\n`)
    counted(message)
  }
  for (let n = 0; n < branchCount; n += 1) text(`reset refs/heads/b/${n}\nfrom :${commits.length}\n\n`)
  return Buffer.concat(parts)
}

function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}
