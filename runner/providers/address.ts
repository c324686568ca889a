import type { Env } from '../sandbox/process/own-env.ts'

const PLACE = /\$\{([A-Z][A-Z0-9_]*)(?::-([^}]*))?\}/g

/** Lists the variables in a base URL that have no default. */
export function neededPlaces(text: string): string[] {
  const names = [...text.matchAll(PLACE)].flatMap(([, name = '', fallback]) =>
    fallback === undefined ? [name] : [],
  )
  return [...new Set(names)]
}

export function hasPlaces(text: string): boolean {
  return text.match(PLACE) !== null
}

/** Fills in the variables of a base URL; empty ones count as unset. */
export function fillPlaces(text: string, env: Env): string {
  return text.replace(PLACE, (_, name: string, fallback = '') => env[name] || fallback)
}

/** Returns the text as it would look with any values, for a check before they are known. */
export function withoutPlaces(text: string): string {
  const filled = text.replace(PLACE, (_, _name, fallback) => fallback ?? 'x')
  return /^\$\{[^}]*\}$/.test(text) && filled === 'x' ? 'https://x' : filled
}

/**
 * Returns why a base URL cannot be used, as the end of a sentence; null = it can. Never repeats the text, which may
 * contain a password.
 */
export function addressMistake(text: string): string | null {
  if (/\$\{/.test(text))
    return `has a placeholder that is not written as \${NAME} or \${NAME:-text}`
  if (!URL.canParse(text)) return 'is not a URL'
  const { protocol, username, password, search, hash } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:')
    return 'does not begin with https:// or http://'
  if (username !== '' || password !== '')
    return 'contains a user name or password: put the key in a variable'
  if (search !== '' || hash !== '')
    return 'has a query or fragment: a base URL is a path and no more'
  return null
}
