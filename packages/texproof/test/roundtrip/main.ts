/**
 * `npm run test:roundtrip [-- NAME …]`: every document of the corpus is imported as a project, built and exported, and the
 * package is built alone. The package is then imported in a shape in which arXiv passes sources on, built, compared page
 * by page with the first PDF, and exported again. Shapes, targets and options alternate. Prints one line for each
 * document, then how many had each shape, and exits with 1 unless all that differ are in `exceptions.ts`.
 */
import { readFile } from 'node:fs/promises'

import { readCorpus, type CorpusDocument } from '../../../platex/test/support/read-corpus.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'
import type { Build } from '../../src/domain/build.ts'
import type { User } from '../../src/domain/types.ts'
import { openExportJobs, type ExportJob, type ExportJobs } from '../../src/operations/export/export-jobs.ts'
import { importArchive } from '../../src/operations/import/import-archive.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'
import { testConfig } from '../support/hosts/test-config.ts'
import { exceptions } from './exceptions.ts'
import { chooseFirstExport, chooseSecondExport, makeSource, type Export } from './package-shapes.ts'
import { makeProject } from './project-shapes.ts'

const CONCURRENCY = 2
/** The first document with LuaLaTeX waits for the index of all fonts. */
const patient = { build: { ...testConfig.build, timeoutMs: 300_000 } }
const WIDTH_PX = 440
const WITHIN_MS = 600_000

interface RoundTrip {
  readonly host: PaperHost
  readonly alice: User
  readonly exports: ExportJobs
  /** Number of uses of each shape. */
  readonly uses: Map<string, number>
}

/** Why a document does not survive, in a few words. */
class Difference extends Error {}

const names = process.argv.slice(2)
process.exitCode = await main()

async function main(): Promise<number> {
  // The number of a document, and so its shapes, do not depend on which are named.
  const corpus = [...(await readCorpus()).filter(({ errors }) => errors.length === 0).entries()].filter(
    ([, { name }]) => names.length === 0 || names.includes(name),
  )
  const host = await openPaperHost(patient)
  const { user: alice } = await host.addUser('alice')
  const trip = { host, alice, exports: openExportJobs(host.deps), uses: new Map<string, number>() }
  const counts = { good: 0, excepted: 0, failed: 0 }
  const next = corpus.values()
  const work = async (): Promise<void> => {
    for (const [number, document] of next) counts[await report(trip, document, number)] += 1
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  await host.close()
  for (const [use, count] of [...trip.uses].toSorted()) console.log(`${String(count).padStart(4)} ${use}`)
  console.log(`${counts.good} of ${corpus.length} documents unchanged, ${counts.excepted} with a known reason`)
  return counts.failed === 0 ? 0 : 1
}

async function report(
  trip: RoundTrip,
  document: CorpusDocument,
  number: number,
): Promise<'good' | 'excepted' | 'failed'> {
  const reason = exceptions.get(document.name)
  try {
    console.log(`ok   ${document.name}: ${await goRound(trip, document, number)}`)
    if (reason !== undefined) console.log(`     is no exception any more: ${reason}`)
    return 'good'
  } catch (error) {
    if (!(error instanceof Difference)) throw error
    console.log(
      `${reason === undefined ? 'FAIL' : 'but '} ${document.name}: ${error.message}${reason === undefined ? '' : ` (${reason})`}`,
    )
    return reason === undefined ? 'failed' : 'excepted'
  }
}

/** Returns a summary. @throws Difference */
async function goRound(trip: RoundTrip, document: CorpusDocument, number: number): Promise<string> {
  const project = await makeProject(nameEngine(document), number)
  const first = await build(trip, `p-${document.name}`, project)
  if (first.engine !== document.engine) throw new Difference(`${project.shape}: built with ${first.engine}`)
  const [one, two] = [chooseFirstExport(number), chooseSecondExport(number)]
  const source = await makeSource(await exportVerified(trip, first, one), number)
  const second = await build(trip, `a-${document.name}`, source)
  const pages = await findChangedPages(trip, first, second)
  if (pages.length > 0)
    throw new Difference(
      `${one.name}, imported as ${source.shape}: ${first.pageCount} and ${second.pageCount} pages, ${pages.join(', ')} differ`,
    )
  await exportVerified(trip, second, two)
  const uses = [
    `project: ${project.shape}`,
    `export: ${one.name}`,
    `source: ${source.shape}`,
    `second export: ${two.name}`,
  ]
  for (const use of uses) trip.uses.set(use, (trip.uses.get(use) ?? 0) + 1)
  return `${first.engine}, ${project.shape} → ${one.name} → ${source.shape} → ${two.name}; pages 1 to ${first.pageCount}`
}

/** The engine is a setting of an editor, which the archive does not contain, so the source names it as many do. */
function nameEngine({ files, engine }: CorpusDocument): ReadonlyMap<string, Uint8Array> {
  const main = Buffer.from(files.get('main.tex') ?? '').toString()
  return new Map([...files, ['main.tex', new TextEncoder().encode(`% !TeX program = ${engine}\n${main}`)]])
}

async function build(
  { host, alice }: RoundTrip,
  name: string,
  upload: { readonly fileName: string; readonly bytes: Uint8Array },
): Promise<Build> {
  const details = {
    owner: alice,
    name,
    description: null,
    visibility: 'private',
    authorEmail: 'alice@localhost',
    projectUrl: host.origin,
  } as const
  const outcome = await importArchive(host.deps, details, upload)
  if (outcome.kind !== 'created') throw new Difference(`import: ${JSON.stringify(outcome)}`)
  const { builds } = host.deps.store
  await host.whenBuilt(outcome.repository.id)
  const records = await builds.list(outcome.repository.id, { limit: 20, offset: 0 })
  const main = records.find(({ document }) => ['main', 'ms'].includes(document)) ?? records[0]
  const found = main === undefined ? null : await builds.find(main.id)
  if (found === null) throw new Difference('no document was found')
  const [error] = found.errors
  if (found.pdfId === null || error !== undefined)
    throw new Difference(`${name}: ${found.state}, ${error?.message ?? 'no PDF'}`)
  return found
}

async function exportVerified(
  { exports, alice }: RoundTrip,
  built: Build,
  { name, target, options }: Export,
): Promise<Uint8Array> {
  const request = {
    userId: alice.id,
    ownerId: alice.id,
    build: built,
    target,
    options,
    name: 'paper',
  } as const
  const id = await eventually(() => exports.start(request), { within: WITHIN_MS })
  const isOver = (job: ExportJob | null): boolean => job !== null && job.state.kind !== 'running'
  const job = await eventually(() => exports.find(alice.id, id), { within: WITHIN_MS, until: isOver })
  if (job?.state.kind !== 'packed') throw new Difference(`export for ${name}: ${JSON.stringify(job?.state)}`)
  const { verification } = job.state.made
  const isExpected =
    verification.kind === 'same' || (verification.kind === 'different' && verification.removed.length > 0)
  if (!isExpected) throw new Difference(`package for ${name}: ${JSON.stringify(verification)}`)
  const zip = await exports.readZip(alice.id, id)
  if (zip === null) throw new Error('the package has expired')
  return zip
}

/** Numbers of pages whose pictures differ. */
async function findChangedPages({ host }: RoundTrip, one: Build, two: Build): Promise<readonly number[]> {
  const changed: number[] = []
  for (let page = 1; page <= Math.max(one.pageCount ?? 0, two.pageCount ?? 0); page += 1) {
    const [left, right] = await Promise.all([one, two].map((built) => readPicture(host, built, page)))
    if (left === null || left !== right) changed.push(page)
  }
  return changed
}

async function readPicture({ deps }: PaperHost, { pdfId }: Build, page: number): Promise<string | null> {
  const picture = { page, widthPx: WIDTH_PX, ownerId: 'tester', requesterId: 'tester' }
  const file = pdfId === null ? null : await deps.papers.findPicture({ ...picture, pdfId })
  if (file === null) return null
  return (await readFile(file.path)).toString('base64')
}
