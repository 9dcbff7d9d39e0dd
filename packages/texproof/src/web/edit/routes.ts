import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { postNewFile, postUpload, showAddFiles } from './add-files.ts'
import { reviewBuildSettings, showBuildSettings } from './build-settings.ts'
import { postDeleteFile, showDeleteFile } from './delete-file.ts'
import { postDraft } from './draft.ts'
import { openLive } from './live.ts'
import { postEdit, showEdit } from './edit-file.ts'
import { postPreview, sendPreview } from './preview.ts'
import { postMove, showMove } from './move.ts'
import { sendPreviewSynctex } from './preview-synctex.ts'
import { sendProjectIndex } from './project-index.ts'
import { postFormula } from './editor/formula.ts'
import { postDictionaryWord, sendDictionaries } from './editor/spelling.ts'
import { postRename } from './editor/rename.ts'
import { postProjectReplace, postProjectSearch } from './editor/project-search.ts'

/** Changing files without git. */
export function addEditRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/:owner/:repo/edit/:rest{[^]+}', (c: Context) => showEdit(c, deps))
  app.post('/:owner/:repo/edit/:rest{[^]+}', (c: Context) => postEdit(c, deps))
  app.post('/:owner/:repo/draft/:rest{[^]+}', (c: Context) => postDraft(c, deps))
  app.get('/:owner/:repo/live/:rest{[^]+}', (c: Context) => openLive(c, deps))
  app.post('/:owner/:repo/preview/:rest{[^]+}', (c: Context) => postPreview(c, deps))
  app.get('/:owner/:repo/preview/:file', (c: Context) => sendPreview(c, deps))
  app.get('/:owner/:repo/preview/:id/synctex', (c: Context) => sendPreviewSynctex(c, deps))
  app.get('/:owner/:repo/project/:rest{[^]+}', (c: Context) => sendProjectIndex(c, deps))
  app.post('/:owner/:repo/search/:rest{[^]+}', (c: Context) => postProjectSearch(c, deps))
  app.post('/:owner/:repo/replace/:rest{[^]+}', (c: Context) => postProjectReplace(c, deps))
  app.post('/:owner/:repo/rename/:rest{[^]+}', (c: Context) => postRename(c, deps))
  app.get('/:owner/:repo/spelling/:rest{[^]+}', (c: Context) => sendDictionaries(c, deps))
  app.post('/:owner/:repo/spelling/:rest{[^]+}', (c: Context) => postDictionaryWord(c, deps))
  app.post('/:owner/:repo/formula/:rest{[^]+}', (c: Context) => postFormula(c, deps))
  app.get('/:owner/:repo/new/:rest{[^]+}', (c: Context) => showAddFiles(c, deps))
  app.post('/:owner/:repo/new/:rest{[^]+}', (c: Context) => postNewFile(c, deps))
  // The address that the browser shows after a refused upload.
  app.get('/:owner/:repo/upload/:rest{[^]+}', (c: Context) => showAddFiles(c, deps))
  app.post('/:owner/:repo/upload/:rest{[^]+}', (c: Context) => postUpload(c, deps))
  app.get('/:owner/:repo/move/:rest{[^]+}', (c: Context) => showMove(c, deps))
  app.post('/:owner/:repo/move/:rest{[^]+}', (c: Context) => postMove(c, deps))
  app.get('/:owner/:repo/build-settings/:rest{[^]+}', (c: Context) => showBuildSettings(c, deps))
  app.post('/:owner/:repo/build-settings/:rest{[^]+}', (c: Context) => reviewBuildSettings(c, deps))
  app.get('/:owner/:repo/delete/:rest{[^]+}', (c: Context) => showDeleteFile(c, deps))
  app.post('/:owner/:repo/delete/:rest{[^]+}', (c: Context) => postDeleteFile(c, deps))
}
