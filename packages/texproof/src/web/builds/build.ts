import type { Context } from 'hono'
import { html, raw } from 'hono/html'

import { defineTask } from '../../base/thread-task.ts'
import type { Deps } from '../../operations/deps.ts'
import { isInProgress } from '../../domain/build.ts'
import type { Build } from '../../domain/build.ts'
import { quote } from '../../domain/text/shell-word.ts'
import type { Repository } from '../../domain/types.ts'
import {
  buildPath,
  buildSettingsPath,
  encodePath,
  pdfPath,
  repositoryPath,
  shortRefName,
} from '../../domain/page-urls.ts'
import { describeResult } from '../../papers/push/describe-push.ts'
import type { PassTail } from '../../papers/cache/pass-logs.ts'
import { nameTool, describeTools } from '../../domain/tool-names.ts'
import { breakable } from '../ui/breakable.ts'
import { keepCounts } from '../ui/format/keep-counts.ts'
import { formatDuration } from '../ui/format/format-duration.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { findBuild } from './find-build.ts'
import { passTimeline } from './pass-timeline.ts'
import { problemList } from '../ui/problem/problem-list.ts'
import { buildStatus, statusDot } from '../ui/document/document-status.ts'
import { refreshWithoutScript } from '../ui/refresh-without-script.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import type { renderLog } from './readable-log.ts'
import { mayWrite } from '../shell/repository/require-permission.ts'
import { editHref } from '../shell/repository/find-edit-target.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'

const REFRESH_AFTER = 2
/** Characters of the end of a log shown on the page; the full log has its own address. */
const SHOWN_LOG_CHARS = 30_000

const RENDER_LOG = defineTask<typeof renderLog>(import.meta.resolve('./readable-log.ts'), 'renderLog')

/** `/{owner}/{repo}/builds/{n}`: one build with its passes, problems and log. */
export async function showBuild(c: Context, deps: Deps): Promise<Response> {
  const { repository, build } = await findBuild(c, deps)
  const ownerId = repository.owner.id
  const logs = await deps.papers.findPassTails(build.id, { ownerId, length: SHOWN_LOG_CHARS })
  const hasMany = (await deps.store.builds.listOfCommit(repository.id, build.commitId)).length > 1
  const isUnderWay = isInProgress(build)
  const isOfBranch = build.ref.startsWith('refs/heads/')
  const settingsHref =
    isOfBranch && mayWrite(c, repository) ? buildSettingsPath(repository, shortRefName(build.ref)) : null
  const main = html`${repositoryHeader(c, repository, 'builds')}
    <h1 class="build-title">
      Build ${build.number}${hasMany ? ` of ${build.document}` : ''} <span>${statusDot(buildStatus(build))}</span>
    </h1>
    ${limitNotice(build, deps.config.build)} ${facts(build, { repository, hasMany, settingsHref })}
    ${
      isUnderWay
        ? html`<p class="banner banner-building" aria-live="polite">
            ◌
            <span data-build-events="${buildPath(repository, build.number)}/events"
              >${deps.papers.describeProgress(build.id) ?? 'queued'}</span
            >
          </p>`
        : ''
    }
    ${
      build.passes.length === 0
        ? ''
        : html`<h2>Passes</h2>
            ${passTimeline(build)}`
    }
    ${
      build.state === 'succeeded' || build.state === 'failed'
        ? html`<h2>Problems</h2>
            ${problemList(build, { repository, pdfRef: null, editHref: await lineEditor(c, deps, { repository, build }) })}`
        : ''
    }
    ${
      logs === null || logs.length === 0
        ? ''
        : html`<h2>Log</h2>
            ${await logSection(deps, { logs, build, repository })}`
    }
    <h2>Reproduce</h2>
    <pre
      class="type-this"
      tabindex="0"
    ><code>git clone ${breakable(`${deps.config.baseUrl}${repositoryPath(repository)}.git`)}
cd ${repository.name} &amp;&amp; git checkout ${build.commitId}
texproof compile ${breakable(quote(pathArgument(build.rootFile)))} --engine ${build.engine}</code></pre>`
  return sendPage(c, {
    title: `Build ${build.number}${hasMany ? `: ${build.document}` : ''} · ${repository.owner.login}/${repository.name}`,
    main,
    head: isUnderWay ? refreshWithoutScript(REFRESH_AFTER) : '',
    scripts: isUnderWay ? ['build-live'] : [],
  })
}

/** A path that no program reads as an option. */
function pathArgument(path: string): string {
  return path.startsWith('-') ? `./${path}` : path
}

/** `/{owner}/{repo}/builds/{n}/logs/{pass}`: the raw log of one pass. */
export async function sendPassLog(c: Context, deps: Deps): Promise<Response> {
  const { repository, build } = await findBuild(c, deps)
  const pass = c.req.param('pass') ?? ''
  const passNumber = /^[1-9]\d{0,3}$/.test(pass) ? Number(pass) : 0
  const log = await deps.papers.findPassLog(build.id, { ownerId: repository.owner.id, passNumber })
  if (log === null) throw new NotFound('The log of this pass is not stored.')
  return c.text(log)
}

/** Links lines to the editor if a branch still points to the commit of this build. */
async function lineEditor(
  c: Context,
  { git }: Deps,
  { repository, build }: { readonly repository: ViewedRepository; readonly build: Build },
): Promise<((place: { readonly path: string; readonly line: number }) => string) | null> {
  if (!mayWrite(c, repository) || !build.ref.startsWith('refs/heads/')) return null
  const branch = await git.findBranch(repository.id, shortRefName(build.ref))
  if (branch?.commitId !== build.commitId) return null
  return (place) => editHref({ repository, branch: branch.name }, place)
}

interface BuildPlace {
  readonly repository: Repository
  /** The commit has several documents. */
  readonly hasMany: boolean
  /** null = the viewer may not change them. */
  readonly settingsHref: string | null
}

function facts(build: Build, { repository, hasMany, settingsHref }: BuildPlace): Html {
  const branch = shortRefName(build.ref)
  return html`<dl class="facts facts-row">
    <div>
      <dt>Document</dt>
      <dd>
        <a href="${repositoryPath(repository)}/blob/${build.commitId}/${encodePath(build.rootFile)}"
          >${breakable(build.rootFile)}</a
        >
      </dd>
    </div>
    <div>
      <dt>Branch</dt>
      <dd><a href="${pdfPath(repository, branch, hasMany ? build.document : null)}">${branch}</a></dd>
    </div>
    <div>
      <dt>Commit</dt>
      <dd>
        <a href="${repositoryPath(repository)}/tree/${build.commitId}"><code>${build.commitId.slice(0, 10)}</code></a>
      </dd>
    </div>
    <div>
      <dt>Result</dt>
      <dd>${build.state === 'succeeded' || build.state === 'failed' ? keepCounts(describeResult(build)) : '–'}</dd>
    </div>
    <div>
      <dt>Time</dt>
      <dd>${formatDuration(build)}</dd>
    </div>
    <div>
      <dt>Requested</dt>
      <dd>${timeAgo(build.createdAt)}</dd>
    </div>
    <div class="facts-wide">
      <dt>Tools</dt>
      <dd>
        ${describeTools(build)}:
        ${build.reason}${settingsHref === null ? '' : html` <a href="${settingsHref}">Change</a>`}
      </dd>
    </div>
    ${
      build.pdfId === null
        ? ''
        : html`<div class="facts-wide">
            <dt>PDF</dt>
            <dd>
              <a href="${pdfPath(repository, build.commitId, hasMany ? build.document : null)}">PDF of this commit</a>
            </dd>
          </div>`
    }
  </dl>`
}

async function logSection(
  { parsers }: Pick<Deps, 'parsers'>,
  {
    logs,
    build,
    repository,
  }: { readonly logs: readonly PassTail[]; readonly build: Build; readonly repository: Repository },
): Promise<Html> {
  const last = logs.findLast(({ engine }) => engine !== 'bibtex' && engine !== 'biber') ?? logs.at(-1)
  const href = (pass: PassTail): string => `${buildPath(repository, build.number)}/logs/${pass.passNumber}`
  const rendered = await parsers.run(RENDER_LOG, last?.tail ?? '', { ownerId: repository.owner.id })
  return html`<p>
      Raw logs:
      ${logs.map((pass, at) => html`${at === 0 ? '' : ' · '}<a href="${href(pass)}">pass ${pass.passNumber}, ${nameTool(pass.engine)}</a>`)}
    </p>
    ${
      last === undefined
        ? ''
        : html`<details class="log" ${build.state === 'failed' ? html`open` : ''}>
            <summary>Pass ${last.passNumber}, ${nameTool(last.engine)}</summary>
            ${rendered.kind === 'done' ? raw(rendered.value) : html`<pre tabindex="0">${last.tail}</pre>`}
          </details>`
    }`
}

/** Which limit ended a build, and how to change it: the log does not say. */
function limitNotice({ passes, errors }: Build, { timeoutMs, maxTimeoutMs }: Deps['config']['build']): Html | '' {
  const stopped = passes.find(({ timedOut }) => timedOut)
  if (stopped === undefined) return ''
  // A line with the cause, such as a command that uses itself: more time would not help.
  const cause = errors.find(({ message, line }) => line !== null && message.startsWith('Compilation timed out'))
  if (cause?.summary !== undefined)
    return html`<p class="banner banner-failed">✕ Stopped at the time limit. ${cause.summary}</p>`
  const longest = passes.toSorted((left, right) => (right.durationMs ?? 0) - (left.durationMs ?? 0))[0] ?? stopped
  return html`<p class="banner banner-failed">
    ✕ Stopped at the time limit. ${nameTool(longest.program)} took longest,
    ${((longest.durationMs ?? 0) / 1000).toFixed(1)} s in one pass. The default limit is ${Math.round(timeoutMs / 1000)}
    s; raise it to at most ${Math.round(maxTimeoutMs / 1000)} s with <code>timeout = "120s"</code> under
    <code>[build]</code> in <code>.texproof.toml</code>.
  </p>`
}
