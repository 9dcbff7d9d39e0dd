import type { User } from '../../domain/types.ts'
import { addUser, newUserId } from '../../accounts/users/add-user.ts'
import type { UserDetails } from '../../accounts/users/add-user.ts'
import { makeSecretText } from '../../base/secret-text.ts'
import type { Store } from '../../store/store.ts'
import { demoUsers } from './demo-repository.ts'
import type { DemoUser } from './demo-repository.ts'

/** The users of the demo. */
export interface DemoUsers {
  readonly users: Readonly<Record<DemoUser, User>>
  /** Passwords by login; empty without `hasPasswords`. */
  readonly passwords: ReadonlyMap<string, string>
}

/** Creates the demo users with the ids of the record. On an empty host, alice is an administrator. */
export async function addDemoUsers(
  store: Store,
  { userIds, hasPasswords }: { readonly userIds: readonly string[]; readonly hasPasswords: boolean },
): Promise<DemoUsers> {
  const isFirst = (await store.users.count()) === 0
  const passwords = new Map<string, string>()
  const add = async (person: DemoUser, details: Omit<UserDetails, 'login'>): Promise<User> => {
    const id = userIds[demoUsers.indexOf(person)] ?? newUserId()
    const password = hasPasswords ? makeSecretText().slice(0, 16) : null
    const user = await addUnderFreeName(store, person, { ...details, id, password })
    if (password !== null) passwords.set(user.login, password)
    return user
  }
  const alice = await add('alice', { name: 'Alice', isAdmin: isFirst })
  const bob = await add('bob', { name: 'Bob' })
  return { users: { alice, bob }, passwords }
}

/** Existing users keep their names: `alice-demo`, `alice-demo-2` … if there is an alice. */
async function addUnderFreeName(store: Store, person: DemoUser, details: Omit<UserDetails, 'login'>): Promise<User> {
  const others = Array.from({ length: 98 }, (_, index) => `${person}-demo-${index + 2}`)
  for (const login of [person, `${person}-demo`, ...others]) {
    if ((await store.users.findByLogin(login)) !== null) continue
    const outcome = await addUser(store, { ...details, login })
    if (outcome.kind === 'added') return outcome.user
    if (outcome.reason !== 'login-taken') throw new Error(`add ${login}: ${outcome.reason}`)
  }
  throw new Error(`add ${person}: a hundred names are taken`)
}
