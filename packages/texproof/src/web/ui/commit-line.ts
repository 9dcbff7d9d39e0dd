import { html } from 'hono/html'

import type { Repository } from '../../domain/types.ts'
import type { Commit } from '../../git/types.ts'
import { repositoryPath } from '../../domain/page-urls.ts'
import { commitSubject } from '../content/commit-subject.ts'
import type { Html } from './html.ts'
import { timeAgo } from './format/time-ago.ts'

/** One commit on a line: id, author, subject, age. */
export function commitLine(commit: Commit | null, repository: Repository): Html | '' {
  if (commit === null) return ''
  return html`<p class="commit">
    <a href="${repositoryPath(repository)}/commit/${commit.commitId}"><code>${commit.commitId.slice(0, 7)}</code></a>
    <span class="author">${commit.author.name}</span>
    <span class="subject">${commitSubject(commit.message)}</span>
    <span class="quiet">${timeAgo(commit.committer.at)}</span>
  </p>`
}
