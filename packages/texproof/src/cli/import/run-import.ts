import { join } from 'node:path'

import { pino } from 'pino'

import { openParsers } from '../../base/open-parsers.ts'
import { commandFor } from '../../config/command-line.ts'
import type { Config } from '../../config/read-config.ts'
import { parseRepositoryName } from '../../domain/names.ts'
import { nameTool } from '../../domain/tool-names.ts'
import type { Repository, User } from '../../domain/types.ts'
import { openGitStore } from '../../git/open-git-store.ts'
import { findMissingPackages, type MissingPackage } from '../../operations/import/find-missing-packages.ts'
import {
  importArchive,
  inspectArchive,
  type ImportOutcome,
  type ImportStores,
} from '../../operations/import/import-archive.ts'
import type { ArchiveSummary, ImportSource } from '../../operations/import/read-archive.ts'
import { suggestRepositoryName } from '../../operations/import/suggest-repository-name.ts'
import { openPapers } from '../../papers/open-papers.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import type { Papers } from '../../papers/types.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { noSuchUser } from '../no-such-user.ts'
import { printJson } from '../print.ts'
import { readHostConfig } from '../read-host-config.ts'
import { reportBuilds } from '../repo/report-builds.ts'
import { say } from '../say.ts'
import { withStore } from '../with-store.ts'
import { readImport } from './read-import.ts'

/** The options of `texproof import`. */
export interface ImportCommandOptions {
  readonly owner: string
  readonly name?: string
  readonly private?: true
  readonly data?: string
  readonly json?: true
}

/** Entries of a list that are printed; `--json` prints all. */
const maxShown = 20

/** Imports a source, whether or not a server is running, and waits for the builds. */
export async function runImport(path: string, options: ImportCommandOptions): Promise<void> {
  const config = readHostConfig(options.data)
  const source = await readImport(path)
  const name = options.name ?? suggestRepositoryName(source.fileName)
  await withHost(config, async (stores) => {
    const owner = await stores.store.users.findByLogin(options.owner)
    if (owner === null) throw noSuchUser(options.owner, config.dataDir)
    const summary = await inspectArchive(stores, source, owner.id)
    if (summary.kind === 'refused') throw refused(summary.problem)
    const missing = await findMissingPackages(stores, summary.packages)
    if (!options.json) describe(summary, missing)
    const repository = await create(stores, source, { owner, name, isPrivate: options.private === true })
    const url = `${config.baseUrl}/${owner.login}/${repository.name}`
    say(`Created ${owner.login}/${repository.name}: ${url}`)
    await reportBuilds(stores, repository)
    if (options.json) await printJson(await present(stores, { repository, url, summary, missing }))
  })
}

type ImportHost = ImportStores & { readonly config: Config; readonly papers: Papers }

async function withHost(config: Config, use: (stores: ImportHost) => Promise<void>): Promise<void> {
  await withStore(config, async (store) => {
    const git = await openGitStore({ root: join(config.dataDir, 'repositories') })
    const parsers = openParsers()
    try {
      const deps = { config, store, git, parsers, log: pino({ level: 'silent' }) }
      const papers = await openPapers(deps, { isServer: false })
      try {
        await use({ ...deps, papers })
      } finally {
        await papers.close()
      }
    } finally {
      await parsers.close()
      await git.close()
    }
  })
}

async function create(
  stores: ImportHost,
  source: ImportSource,
  { owner, name: asked, isPrivate }: { readonly owner: User; readonly name: string; readonly isPrivate: boolean },
): Promise<Repository> {
  const { baseUrl, dataDir } = stores.config
  const name = parseRepositoryName(asked)
  if (name === null)
    throw new CliError(`invalid repository name "${asked}"`, {
      exitCode: exitCodes.usage,
      remedy: 'Pass --name with A–Z, a–z, 0–9, ".", "-" and "_", up to 100 characters.',
    })
  const details = {
    owner,
    name,
    description: null,
    visibility: isPrivate ? 'private' : 'public',
    authorEmail: `noreply@${new URL(baseUrl).hostname}`,
    projectUrl: `${baseUrl}/${owner.login}/${name}`,
  } as const
  const outcome = await importArchive(stores, details, source)
  if (outcome.kind === 'created') return outcome.repository
  throw explain(outcome, { owner, name, dataDir })
}

function explain(
  outcome: Exclude<ImportOutcome, { kind: 'created' }>,
  { owner, name, dataDir }: { readonly owner: User; readonly name: string; readonly dataDir: string },
): CliError {
  const exitCode = exitCodes.usage
  switch (outcome.kind) {
    case 'name-taken':
      return new CliError(`${owner.login} already has a repository named ${name}`, {
        exitCode,
        remedy: 'Choose another name with --name.',
      })
    case 'over-quota':
      return new CliError(
        `${owner.login} has reached the limit of ${countOf(outcome.limit, 'repository', 'repositories')}`,
        {
          exitCode,
          remedy: `Raise it: ${commandFor(dataDir, `user quota ${owner.login}`)} --repositories ${outcome.limit + 1}`,
        },
      )
    case 'refused':
      return refused(outcome.problem)
  }
}

/** The messages of the Import page: what is wrong, and how to fix it. */
function refused(problem: string): CliError {
  return new CliError(`import refused: ${problem}`, { exitCode: exitCodes.usage })
}

function describe(summary: ArchiveSummary, missing: readonly MissingPackage[]): void {
  const { found, skipped, unportable, topFolder, fileCount } = summary
  say(`${countOf(fileCount, 'file')}${topFolder === null ? '' : `; removed the top-level folder ${topFolder}`}`)
  if (found.kind === 'misconfigured') say(`! ${found.file} is not valid: ${found.message}. Nothing is built.`)
  else if (found.kind !== 'found') say('! No LaTeX document was found. Nothing is built.')
  else for (const { rootFile, engine, reason } of found.documents) say(`  ${rootFile}, ${nameTool(engine)}: ${reason}`)
  for (const { name, installCommand } of missing)
    say(`! Package ${name} is missing${installCommand === null ? '' : `. Install it: ${installCommand}`}`)
  for (const { path, reason } of unportable.slice(0, maxShown)) say(`! ${path}: ${reason}`)
  if (unportable.length > maxShown) say(`! ${unportable.length - maxShown} more names that some systems do not allow`)
  for (const { path, reason } of skipped.slice(0, maxShown)) say(`  skipped ${path}: ${reason}`)
  if (skipped.length > maxShown) say(`  skipped ${skipped.length - maxShown} more`)
}

async function present(
  { store }: ImportHost,
  imported: {
    readonly repository: Repository
    readonly url: string
    readonly summary: ArchiveSummary
    readonly missing: readonly MissingPackage[]
  },
): Promise<object> {
  const { repository, url, summary, missing } = imported
  const builds = await store.builds.list(repository.id, { limit: 100, offset: 0 })
  return {
    repository: `${repository.owner.login}/${repository.name}`,
    url,
    files: summary.fileCount,
    skipped: summary.skipped,
    unportable: summary.unportable,
    missing_packages: missing.map(({ name, installCommand }) => ({ name, install_command: installCommand })),
    builds: builds.map(({ rootFile, state, errorCount }) => ({ root_file: rootFile, state, errors: errorCount })),
  }
}
