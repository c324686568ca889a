import { z } from 'zod'
import { ROLES } from './access.ts'
import { findPasswordProblem } from './password.ts'

/** An e-mail address as it is stored: trimmed, in lower case. */
export const emailSchema = z
  .string('Give an e-mail address.')
  .trim()
  .toLowerCase()
  .max(254, 'This e-mail address is too long.')
  .pipe(z.email('Give an e-mail address, like ada@example.org.'))

/** The name of a person on the admin pages. */
export const personNameSchema = z
  .string('Give a name.')
  .trim()
  .min(1, 'Give a name.')
  .max(80, 'Take at most 80 characters.')
  .regex(/^[^\p{Cc}]*$/u, 'A name is one line.')

export const roleSchema = z.enum(ROLES, `Take one of: ${ROLES.join(', ')}.`)

/** A new password, validated as far as possible without its owner's address. */
export const newPasswordSchema = z.string('Choose a password.').superRefine((password, context) => {
  const problem = findPasswordProblem(password, '')
  if (problem) context.addIssue({ code: 'custom', message: problem })
})
