import { auth } from '../../server/accounts/auth.ts'

/** The sign-in library checks each pair of a password and a hash once. Hashing takes a tenth of a second, on purpose. */
export async function rememberHashes(): Promise<void> {
  const { password } = await auth().$context
  password.hash = remembered(password.hash)
  password.verify = remembered(password.verify)
}

/** Works once for the same arguments. */
export function remembered<A extends unknown[], T>(work: (...args: A) => T): (...args: A) => T {
  const known = new Map<string, T>()
  return (...args) => {
    const key = JSON.stringify(args)
    const value = known.get(key) ?? work(...args)
    known.set(key, value)
    return value
  }
}
