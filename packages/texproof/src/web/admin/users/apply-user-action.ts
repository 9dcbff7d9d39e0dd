import type { Context } from 'hono'

import { makeAdministrator, setUserDisabled } from '../../../accounts/users/administer-user.ts'
import { resetFactors } from '../../../accounts/second-factor/reset-factors.ts'
import type { User } from '../../../domain/types.ts'
import { deleteAccount } from '../../../operations/account/delete-account.ts'
import type { Deps } from '../../../operations/deps.ts'
import type { Notice } from '../../session/notice.ts'
import { requireAdmin } from '../../session/viewer.ts'
import { userActions } from './user-actions.ts'
import type { UserActionName } from './user-actions.ts'

/** What follows an action: a notice, or the reason of a refusal. */
type ActionOutcome = { readonly notice: Notice } | { readonly problem: string }

/** Applies an action of the administrator to an account. */
export async function applyUserAction(
  c: Context,
  deps: Deps,
  { user, action }: { readonly user: User; readonly action: UserActionName },
): Promise<ActionOutcome> {
  const { store } = deps
  const actor = requireAdmin(c).user
  const done = { notice: userActions[action].notice }
  switch (action) {
    case 'administrator':
      await makeAdministrator(store, { user, actorId: actor.id })
      return done
    case 'factors': {
      const { hadSecondFactor, passkeys } = await resetFactors(store, { user, actorId: actor.id })
      return hadSecondFactor || passkeys > 0 ? done : { notice: 'no-factors' }
    }
    case 'disable':
    case 'enable': {
      const refusal = await setUserDisabled(store, { user, isDisabled: action === 'disable', actorId: actor.id })
      return refusal === null ? done : { problem: explainLast(user) }
    }
    case 'delete': {
      if (!user.isDisabled) return { problem: `Disable ${user.login} first. Nothing was deleted.` }
      const refusal = await deleteAccount(deps, { user, actor })
      if (refusal === null) return done
      return { problem: refusal === 'last-administrator' ? explainLast(user) : explainOwner(user) }
    }
  }
}

function explainLast({ login }: User): string {
  return `${login} is the last administrator. Make another user an administrator first.`
}

function explainOwner({ login }: User): string {
  return `${login} owns repositories. Enable the account, and let ${login} transfer or delete them first. Nothing was deleted.`
}
