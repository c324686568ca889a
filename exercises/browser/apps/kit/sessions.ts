import type { AppRequest, Draw } from '../app.ts'
import { setCookie } from './cookies.ts'

const MOST_SESSIONS = 100
const COOKIE = 'sid'

/** Open sessions of one tenant, part of the app's state. */
export type Sessions<Value> = Map<string, Value>

/** The session of a request; undefined = none, or it has ended. */
export function findSession<Value>(
  sessions: Sessions<Value>,
  { cookies }: AppRequest,
): Value | undefined {
  return sessions.get(cookies[COOKIE] ?? '')
}

/** Opens a session and answers the header that the response has to carry. The oldest goes when there are too many. */
export function openSession<Value>(sessions: Sessions<Value>, value: Value, draw: Draw) {
  const [oldest] = sessions.keys()
  if (sessions.size >= MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest)
  const id = Array.from({ length: 4 }, () => Math.floor(draw() * 2 ** 32).toString(36)).join('')
  sessions.set(id, value)
  return setCookie(COOKIE, id)
}

export function closeSession<Value>(sessions: Sessions<Value>, { cookies }: AppRequest): void {
  sessions.delete(cookies[COOKIE] ?? '')
}
