/** Parses the output of `git blame --porcelain` to lines with their commits. Pure. */

/** One line of a file and the commit that wrote it. */
export interface BlamedLine {
  readonly text: string
  readonly commitId: string
  readonly author: string
  /** Epoch milliseconds of the author's clock. */
  readonly at: number
  /** First line of the message. */
  readonly subject: string
  /** The commit and path of the line before this commit; null if the file was new. */
  readonly previous: { readonly commitId: string; readonly path: string } | null
}

type Origin = Omit<BlamedLine, 'text'>

/** Parses the porcelain format: a commit is described at its first occurrence, and later only named. */
export function parseBlame(text: string): readonly BlamedLine[] {
  const origins = new Map<string, Origin>()
  const blamed: BlamedLine[] = []
  let commitId = ''
  let facts: string[] = []
  for (const line of text.split('\n')) {
    if (!line.startsWith('\t')) {
      facts.push(line)
      continue
    }
    commitId = /^[0-9a-f]{40,64}/.exec(facts[0] ?? '')?.[0] ?? commitId
    const origin = origins.get(commitId) ?? readOrigin(commitId, facts)
    origins.set(commitId, origin)
    blamed.push({ text: line.slice(1), ...origin })
    facts = []
  }
  return blamed
}

function readOrigin(commitId: string, facts: readonly string[]): Origin {
  const valueOf = (key: string): string | null =>
    facts.find((fact) => fact.startsWith(`${key} `))?.slice(key.length + 1) ?? null
  const [, previousId, previousPath] = /^([0-9a-f]{40,64}) (.+)$/.exec(valueOf('previous') ?? '') ?? []
  return {
    commitId,
    author: valueOf('author') ?? '',
    at: Number(valueOf('author-time') ?? 0) * 1000,
    subject: valueOf('summary') ?? '',
    previous:
      previousId === undefined || previousPath === undefined
        ? null
        : { commitId: previousId, path: unquote(previousPath) },
  }
}

/** git quotes a name with a quote, a backslash or a control character like a C string. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name
  return name
    .slice(1, -1)
    .replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (controls[code] ?? code),
    )
}

const controls: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
}
