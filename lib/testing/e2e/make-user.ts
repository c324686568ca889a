import type { Role } from '../../domain/accounts/index.ts'
import { proofboardHere } from '../factories/command-here.ts'
import type { TestUser } from './browser.ts'

/**
 * Creates an account in a running server's data folder, as an administrator does on the command line; test files may
 * share it.
 */
export async function makeUser(dataDir: string, role: Role = 'admin'): Promise<TestUser> {
  const user = { email: `${role}@example.org`, password: 'three words and a horse', role }
  const args = ['accounts', 'add', user.email, '--role', role]
  const { code, stderr } = await proofboardHere(dataDir, args, {}, `${user.password}\n`)
  if (code === 0 || stderr.includes('has an account already')) return user
  throw new Error(`the account could not be made: ${stderr}`)
}
