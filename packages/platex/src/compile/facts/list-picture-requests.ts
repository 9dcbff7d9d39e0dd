import { posix } from 'node:path'
import { decodeLine } from '../../log/decode-line.ts'
import type { PictureKind } from '../../sandbox/types.ts'
import { toWorkspacePath } from '../job-paths.ts'

/** A picture that a pass needs as PDF; paths are workspace-relative. */
export interface PictureRequest {
  readonly kind: PictureKind
  readonly source: string
  /** Where TeX looks for the PDF. */
  readonly targets: readonly string[]
}

/** More than any real document includes. */
const MAX_REQUESTS = 500

/**
 * Pictures to convert, according to the log: the command that pdfTeX would have run, the file that LuaTeX then did not
 * find, and the warning of the svg package. `folder`: working directory of TeX.
 */
export function listPictureRequests(logText: string, folder: string): readonly PictureRequest[] {
  const requests = new Map<string, PictureRequest>()
  const add = (kind: PictureKind, sourceName: string, targetNames: readonly string[]) => {
    const source = toWorkspacePath(unquote(sourceName), folder)
    const targets = targetNames.flatMap((name) => toWorkspacePath(unquote(name), folder) ?? [])
    if (source !== null && targets.length > 0) requests.set(`${source}\n${targets[0]}`, { kind, source, targets })
  }
  const commands =
    /^runsystem\(r?epstopdf[^\n]{0,200}? --outfile=([^\n]{1,500}?\.pdf"?) ([^\n]{1,500}?)\)\.\.\.disabled/gm
  for (const [, target = '', source = ''] of logText.matchAll(commands)) add('eps', source, [target])
  for (const [, stem = ''] of logText.matchAll(/File `([^'\n]{1,500})-eps-converted-to\.pdf' not found/g)) {
    add('eps', `${stem}.eps`, [`${stem}-eps-converted-to.pdf`])
  }
  for (const [, source = ''] of logText.matchAll(/^\(svg\) +for `([^'\n]{1,500}\.svg)'/gm)) {
    const stem = `svg-inkscape/${posix.basename(unquote(source), '.svg')}_svg`
    add('svg', source, [`${stem}-raw.pdf`, `${stem}-tex.pdf`])
  }
  return [...requests.values()].slice(0, MAX_REQUESTS)
}

/** Pictures whose size the definitions of dvipdfmx did not find, without ending, as TeX names them. */
export function listUnmeasured(log: string): readonly string[] {
  const messages = /Cannot determine size of graphic in ([^\n]{1,500})\.\w{1,5} \(no BoundingBox\)/g
  return [...new Set([...log.matchAll(messages)].map(([, stem = '']) => decodeLine(stem).replaceAll('"', '')))]
}

/** A file name from the log. */
function unquote(name: string): string {
  return decodeLine(name)
    .replaceAll('"', '')
    .replace(/^(?:\.\/)+/, '')
}
