/**
 * Converts EPS, SVG and TIFF pictures to PDF.
 *
 * A picture is converted in an empty workspace, so the result depends only on its bytes and can be reused, by the same tenant:
 * others could tell from it who has a picture.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readResult } from '../read-result.ts'
import { removeLeastUsed } from '../remove-least-used.ts'
import { readBoundingBox } from './bounding-box.ts'
import { explainRun } from './explain-run.ts'
import type {
  PictureKind,
  PictureOrder,
  PictureOutcome,
  RunReport,
  SandboxCommand,
  SandboxRunOptions,
} from '../types.ts'
import type { Workspaces } from '../open-workspaces.ts'

export interface PictureConverter {
  /** Folder of the converted pictures on the host. */
  readonly dir: string
  readonly workspaces: Pick<Workspaces, 'create' | 'remove'>
  readonly has: (program: string) => boolean
  readonly run: (command: SandboxCommand, options: SandboxRunOptions) => Promise<RunReport>
}

const MAX_PICTURE_BYTES = 64 * 1024 * 1024
const CONVERT_TIMEOUT_MS = 60_000
/** Total size of all converted pictures; the least recently used are deleted first. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024
const RESULT = 'picture.pdf'

/** Part of the key of converted pictures. Count it up when pictures are converted differently. */
const CONVERSION = 2

interface Converter {
  readonly program: string
  readonly name: string
  readonly args: (picture: Uint8Array) => readonly string[]
}

const CONVERTERS: Readonly<Record<PictureKind, Converter>> = {
  eps: { program: 'gs', name: 'Ghostscript (gs)', args: argumentsForEps },
  svg: { program: 'rsvg-convert', name: 'rsvg-convert', args: () => ['-f', 'pdf', '-o', RESULT, 'picture.svg'] },
  // Compressed: an uncompressed scan exceeds the file size limit.
  tiff: { program: 'tiff2pdf', name: 'tiff2pdf (libtiff-tools)', args: () => ['-z', '-o', RESULT, 'picture.tiff'] },
}

/** The page is the bounding box, as with epstopdf; without one, it has the size of a sheet. */
function argumentsForEps(picture: Uint8Array): readonly string[] {
  const options = ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dAutoRotatePages=/None', '-dCompatibilityLevel=1.5']
  const output = ['-sDEVICE=pdfwrite', `-sOutputFile=${RESULT}`]
  const box = readBoundingBox(picture)
  if (box === null) return [...options, ...output, 'picture.eps']
  const { left, bottom, width, height } = box
  const page = `<< /PageSize [${width} ${height}] >> setpagedevice gsave ${-left} ${-bottom} translate`
  return [...options, ...output, '-c', page, '-f', 'picture.eps', '-c', 'grestore']
}

/** The PDF of a picture: from an earlier conversion for the same tenant, or converted now. */
export async function convertPicture(order: PictureOrder, converter: PictureConverter): Promise<PictureOutcome> {
  const path = keptPath(order, converter)
  const kept = await findKept(path)
  if (kept !== null) return { kind: 'converted', pdf: kept }
  const missing = findMissingConverter(order.kind, converter)
  if (missing !== null) return { kind: 'failed', reason: `${missing} is not installed`, isStopped: false }
  const outcome = await runConverter(order, converter)
  // On a full disk, the picture is converted again next time.
  if (outcome.kind === 'converted') await keep(outcome.pdf, path).catch(() => {})
  return outcome
}

/** The name of the program that pictures of a kind require; null if it is installed. */
export function findMissingConverter(kind: PictureKind, { has }: Pick<PictureConverter, 'has'>): string | null {
  const { program, name } = CONVERTERS[kind]
  return has(program) ? null : name
}

/** The PDF of an earlier conversion of the same bytes for the same tenant, or null. */
export function findConvertedPicture(
  picture: Pick<PictureOrder, 'kind' | 'bytes' | 'tenant'>,
  converter: Pick<PictureConverter, 'dir'>,
): Promise<Uint8Array | null> {
  return findKept(keptPath(picture, converter))
}

function keptPath(
  { kind, bytes, tenant = '' }: Pick<PictureOrder, 'kind' | 'bytes' | 'tenant'>,
  { dir }: Pick<PictureConverter, 'dir'>,
): string {
  const owner = createHash('sha256').update(tenant).digest()
  const key = createHash('sha256').update(owner).update(bytes).update(String(CONVERSION)).digest('hex')
  return join(dir, `${key}.${kind}.pdf`)
}

async function findKept(path: string): Promise<Uint8Array | null> {
  const found = await readFile(path).catch(() => null) // Missing, or removed meanwhile: it is converted again.
  if (found !== null) await utimes(path, new Date(), new Date()).catch(() => {})
  return found
}

async function runConverter(order: PictureOrder, converter: PictureConverter): Promise<PictureOutcome> {
  const { kind, bytes, timeoutMs, signal } = order
  const { program, name, args } = CONVERTERS[kind]
  const workspaceDir = await converter.workspaces.create({ bytes: bytes.length, entries: 1 })
  try {
    await writeFile(join(workspaceDir, `picture.${kind}`), bytes, { flag: 'wx' })
    const report = await converter.run(
      { program, args: args(bytes) },
      { workspaceDir, timeoutMs: Math.min(timeoutMs, CONVERT_TIMEOUT_MS), signal },
    )
    const pdf = await readResult(workspaceDir, RESULT, MAX_PICTURE_BYTES)
    const { end } = report
    const isGood = end.kind === 'exited' && end.exitCode === 0 && pdf !== null && hasPdfHeader(pdf)
    if (isGood) return { kind: 'converted', pdf }
    return { kind: 'failed', reason: explainRun(name, report), isStopped: end.kind !== 'exited' }
  } finally {
    await converter.workspaces.remove(workspaceDir)
  }
}

function hasPdfHeader(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'
}

async function keep(pdf: Uint8Array, path: string): Promise<void> {
  const dir = join(path, '..')
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, pdf, { mode: 0o600 })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await removeLeastUsed(dir, { maxBytes: MAX_KEPT_BYTES })
}
