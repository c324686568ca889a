import { database } from '../../db/database.ts'
import { listAccountRows } from '../../db/user-store.ts'
import type { UserActor } from './auth.ts'

const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi
const HIDDEN = '(address hidden)'

/**
 * Redacts a view for this user. Only administrators see e-mail addresses: viewers see the names of people, their own
 * address, and no address without an account.
 */
export async function showTo<T>({ role, name: own }: UserActor, view: T): Promise<T> {
  if (role === 'admin') return view
  const accounts = await listAccountRows(database(), new Date())
  const names = new Map(accounts.map(({ email, name }) => [email.toLowerCase(), name]))
  const nameOf = (email: string) =>
    email.toLowerCase() === own.toLowerCase() ? email : (names.get(email.toLowerCase()) ?? HIDDEN)
  return mapTexts(view, (text) => text.replace(EMAIL, nameOf)) as T
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, map)]))
}
