/** `/{owner}/{repo}/spelling/{branch}/{path}`: the words that the spelling of the editor accepts, for its script. */
import type { Context } from 'hono'

import type { Deps } from '../../../operations/deps.ts'
import type { DictionaryOwner } from '../../../store/repositories/dictionaries.ts'
import { readField } from '../../session/form.ts'
import { findEditLocation, type EditLocation } from '../find-edit-location.ts'
import { refuse } from './project-search.ts'
import { normalizeText } from '../../../domain/text/normalize-text.ts'

const WORD = /^[\p{L}\p{M}][\p{L}\p{M}'-]{0,59}$/u

/** `GET`: the words of the user and of the project. */
export async function sendDictionaries(c: Context, deps: Deps): Promise<Response> {
  return sendWords(c, deps, await findEditLocation(c, deps))
}

/** `POST`: adds a word to one of the two, or removes it. */
export async function postDictionaryWord(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const { dictionaries } = deps.store
  const owner: DictionaryOwner =
    readField(c, 'dictionary') === 'project'
      ? { repositoryId: location.repository.id }
      : { userId: location.caller.user.id }
  const word = normalizeText(readField(c, 'word'))
  if (readField(c, 'act') === 'remove') await dictionaries.remove(owner, word)
  else if (!WORD.test(word)) return refuse(c, 'A word can have at most 60 letters.')
  else if (!(await dictionaries.add(owner, word)))
    return refuse(c, 'The dictionary has reached the limit of 5,000 words. Remove some first.')
  return sendWords(c, deps, location)
}

async function sendWords(c: Context, { store }: Deps, { repository, caller }: EditLocation): Promise<Response> {
  const [own, project] = await Promise.all([
    store.dictionaries.list({ userId: caller.user.id }),
    store.dictionaries.list({ repositoryId: repository.id }),
  ])
  c.header('cache-control', 'private, no-store')
  return c.json({ own, project })
}
