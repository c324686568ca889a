import { createHash } from 'node:crypto'
import { posix } from 'node:path'

/** Addresses that only a server answers: who is signed in, what is launched or sent, what follows a run. */
const NEEDS_SERVER =
  /^\/(?:admin|setup|sign-in|plan|_next)(?:\/|$)|^\/api\/(?!v1\/)|^\/api\/v1\/(?:health|results|plans)(?:\/|$)|\/(?:events|top-up|log\/stream|preview\.png)$/

/** Of the board: which entries its charts draw, on which scale, and how it is filtered. Every choice would be a page of its own. */
const TOO_MANY_STATES = ['entries', 'scale', 'label']
/** Of any table: its order and filters. */
const TABLE_STATE = /(?:^|-)(?:sort|f|q|hide)$/

/** Whether a copy may hold what this address answers. */
export function isCopied(address: string): boolean {
  const [path = '', query = ''] = address.split('?')
  if (NEEDS_SERVER.test(path)) return false
  const names = [...new URLSearchParams(query).keys()]
  if (names.some((name) => TABLE_STATE.test(name))) return false
  return path !== '/' || !names.some((name) => TOO_MANY_STATES.includes(name))
}

/** Files that the copy adds to those of the site. */
export const OWN_PAGES = {
  '/check': 'check/index.html',
  '/not-here': 'not-here/index.html',
} as const

/** The file of an address: a page is the index of a folder, anything else has an extension by its type. */
export function fileOf(address: string, type: string): string {
  const [path = '', query = ''] = address.split('?')
  const parts = path.split('/').filter(Boolean).map(nameOf)
  const extension = extensionOf(type)
  if (query !== '') {
    const state = ['q', ...parts, stateName(query)].join('/')
    return extension === 'html' ? `${state}/index.html` : `${state}.${extension}`
  }
  const whole = parts.join('/')
  if (extension !== 'html' && posix.extname(whole) === `.${extension}`) return whole
  return [...parts, `index.${extension}`].join('/')
}

/** The way from a file to the top of the copy: `./`, `../../`. */
export function baseOf(file: string): string {
  return '../'.repeat(file.split('/').length - 1) || './'
}

const DIGITS = 10
const MAX_NAME = 60
const MAX_STATE = 48

/** A part of an address as a name that every file system and file server takes. */
function nameOf(part: string): string {
  const plain = decode(part).replace(/[^\w.-]/g, '-')
  if (plain === part && !plain.startsWith('.')) return part
  return `${plain.replace(/^\.+/, '').slice(0, MAX_NAME)}-${hash(part)}`
}

function stateName(query: string): string {
  const plain = decode(query).replace(/[^A-Za-z0-9]+/g, '-')
  return `${plain.slice(0, MAX_STATE)}-${hash(query)}`
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGITS)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'application/atom+xml': 'xml',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'application/feed+json': 'json',
  'application/json': 'json',
  'application/schema+json': 'json',
  'application/x-ndjson': 'ndjson',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/markdown': 'md',
}

function extensionOf(type: string): string {
  return EXTENSIONS[type.split(';')[0]?.trim() ?? ''] ?? 'txt'
}
