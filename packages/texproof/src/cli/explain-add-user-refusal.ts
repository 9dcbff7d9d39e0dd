import type { AddUserRefusal } from '../accounts/users/add-user.ts'

import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'

/** The words for an account that was not made. */
export function explainAddUserRefusal(login: string, reason: AddUserRefusal): CliError {
  const [message, remedy] = words[reason]
  return new CliError(message.replace('NAME', login), { exitCode: exitCodes.usage, remedy })
}

const words: Readonly<Record<AddUserRefusal, readonly [string, string]>> = {
  'invalid-login': [
    '"NAME" cannot be a user name',
    'Letters, digits and single hyphens inside, at most 39, and no name that the pages use (such as "settings").',
  ],
  'invalid-email': ['that is no e-mail address', 'Give it as --email NAME@HOST, or leave it out.'],
  'invalid-password': ['the password is too short or too long', 'At least 10 characters.'],
  'login-taken': ['the user name "NAME" is taken', 'Names differ by more than the case of their letters.'],
  'email-taken': ['that e-mail address belongs to another account', 'Choose another, or leave it out.'],
}
