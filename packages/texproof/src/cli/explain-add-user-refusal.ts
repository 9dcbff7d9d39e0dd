import type { AddUserRefusal } from '../accounts/users/add-user.ts'

import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'

/** The error for a user that could not be created. */
export function explainAddUserRefusal(login: string, reason: AddUserRefusal): CliError {
  const [message, remedy] = words[reason]
  return new CliError(message.replace('NAME', login), { exitCode: exitCodes.usage, remedy })
}

const words: Readonly<Record<AddUserRefusal, readonly [string, string]>> = {
  'invalid-login': [
    'invalid username "NAME"',
    'Use at most 39 letters, digits and single hyphens. The username cannot start or end with a hyphen.',
  ],
  'reserved-login': ['username "NAME" is reserved', 'Choose another one: this is the address of a page.'],
  'invalid-email': ['invalid email address', 'Expected: --email NAME@HOST'],
  'invalid-password': ['invalid password', 'Use at least 10 characters and at most 1024 bytes.'],
  'login-taken': ['username "NAME" is already taken', 'Usernames are case-insensitive.'],
  'email-taken': ['another user has this email address', 'Choose another address, or omit --email.'],
}
