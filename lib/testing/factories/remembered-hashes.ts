import { auth } from '../../server/accounts/auth.ts'

/** Caches the sign-in library's password checks. Hashing deliberately takes a tenth of a second. */
export async function rememberHashes(): Promise<void> {
  const { password } = await auth().$context
  password.hash = remembered(password.hash)
  password.verify = remembered(password.verify)
}

/** Caches results by arguments. */
export function remembered<A extends unknown[], T>(work: (...args: A) => T): (...args: A) => T {
  const known = new Map<string, T>()
  return (...args) => {
    const key = JSON.stringify(args)
    const value = known.get(key) ?? work(...args)
    known.set(key, value)
    return value
  }
}
