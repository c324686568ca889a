import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs/server'

export const LOG_NAMES = ['subject', 'gate'] as const
export type LogName = (typeof LOG_NAMES)[number]

/** The episode page's view state: log, line and search text. */
export const logViewParsers = {
  log: parseAsStringLiteral(LOG_NAMES).withDefault('subject'),
  line: parseAsInteger,
  find: parseAsString.withDefault(''),
}

export const loadLogView = createLoader(logViewParsers)

/** Parses `#L123` in a URL as line 123. */
export function lineOfHash(hash: string): number | null {
  const match = /^#L([1-9]\d{0,8})$/.exec(hash)
  return match ? Number(match[1]) : null
}
