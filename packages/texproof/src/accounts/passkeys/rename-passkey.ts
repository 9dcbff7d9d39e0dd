import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { parsePasskeyName } from './passkey-name.ts'

/** Renames a passkey of its owner. Returns the reason of a refusal, or null on success. */
export async function renamePasskey(
  store: Store,
  asked: { readonly user: User; readonly id: string; readonly name: string; readonly address: string },
): Promise<'unknown' | 'invalid-name' | null> {
  const { user, id, address } = asked
  const name = parsePasskeyName(asked.name)
  const passkey = await store.passkeys.find(id)
  if (passkey?.userId !== user.id) return 'unknown'
  if (name === null) return 'invalid-name'
  if (name === passkey.name) return null
  if (!(await store.passkeys.rename(id, { userId: user.id, name }))) return 'unknown'
  const detail = `${passkey.name} to ${name}`
  await store.events.add({ kind: 'passkey-renamed', userId: user.id, actorId: user.id, address, detail })
  return null
}
