/** Messages of the server about the branch: commits of the edited text by others, and moves of its file. */
import { FILE_MISSING, remind, say } from '../draft-status.browser.ts'
import { addressOfFile } from '../synctex.browser.ts'

export type BranchMessage =
  /** A commit by another user or window. `branch` and `newPath` are null if they are the branch and the path of this page. */
  | {
      readonly kind: 'committed'
      readonly isDiscarded: boolean
      readonly by: string
      readonly branch: string | null
      readonly newPath: string | null
    }
  | {
      readonly kind: 'moved'
      readonly isMissing: boolean
      readonly newPath: string | null
      readonly isFollowed: boolean
    }

interface BranchNews {
  showCommit(message: Extract<BranchMessage, { kind: 'committed' }>): void
  showMove(message: Extract<BranchMessage, { kind: 'moved' }>): void
}

export function createBranchNews(form: HTMLFormElement): BranchNews {
  /** Why the branch no longer has the file. */
  let missing: readonly [text: string, link: HTMLElement | null] = [FILE_MISSING, null]

  function linkToFile(path: string): HTMLElement {
    return Object.assign(document.createElement('a'), { href: addressOfFile(form, path), textContent: path })
  }

  return {
    showCommit({ by, branch, newPath, isDiscarded }) {
      if (form.dataset['committing'] !== undefined) return
      if (newPath !== null && branch === null) {
        missing = [`${by} renamed this file. Continue in`, linkToFile(newPath)]
        return remind(...missing)
      }
      const where = branch === null ? '' : ` to ${branch}`
      say(isDiscarded ? `${by} discarded the draft.` : `${by} committed this text${where}.`)
    },
    showMove({ isMissing, newPath }) {
      // A commit in an editor has also said who renamed it.
      const isKnown = newPath === null || missing[1]?.textContent === newPath
      if (!isKnown) missing = ['This file was renamed. Continue in', linkToFile(newPath)]
      if (isMissing) remind(...missing)
      else remind('')
    },
  }
}
