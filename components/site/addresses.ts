/** The folder of a board's pages. */
export function boardFolder(suiteId: string, version: string | null): string {
  return version === null
    ? `boards/${safeName(suiteId)}`
    : `boards/${safeName(suiteId)}/${hex(version)}`
}

function hex(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 12)
}

/** Converts part of an address to a name that is valid on every file system. */
export function safeName(part: string): string {
  return part.replace(/[^\w.-]/g, '-').replace(/^\.+/, '') || '-'
}

const MAX_NAME = 120

/** A name that anyone may have chosen: different names have different files, unless they are very long. */
function escapeName(name: string): string {
  return name
    .replace(/^\.|[^A-Za-z0-9.-]/gu, (one) => `_${one.codePointAt(0)?.toString(16)}_`)
    .slice(0, MAX_NAME)
}

const PAGES: readonly [pattern: RegExp, file: (part: string, query: URLSearchParams) => string][] =
  [
    [/^\/rows\/([^/]+)$/, (id) => `rows/${id}`],
    [/^\/runs$/, () => 'runs'],
    [/^\/runs\/([^/]+)$/, (id) => `runs/${id}`],
    [/^\/suites\/([^/]+)$/, (id) => `suites/${id}`],
    [/^\/suites\/([^/]+\/tasks\/[^/]+)$/, (path) => `suites/${path}`],
    [/^\/episodes\/([^/]+)$/, episodeFolder],
    [/^\/(agents|models|methodology)$/, (room) => room],
    [/^\/reports$/, (_, query) => inSuite('reports', query)],
    [/^\/reports\/([^/]+)$/, (axis, query) => `${inSuite('reports', query)}/${axis}`],
    [/^\/history$/, (_, query) => historyFolder(query)],
    [/^\/compare$/, (_, query) => comparisonFolder(query)],
    [/^\/methodology\/([^/]+)$/, (page) => `methodology/${page}`],
    [/^\/check$/, () => 'check'],
  ]

function inSuite(room: string, query: URLSearchParams): string {
  const suite = query.get('suite')
  return suite === null ? room : `${room}/${safeName(suite)}`
}

function historyFolder(query: URLSearchParams): string {
  const subject = query.get('subject')
  if (subject === null) return 'history'
  const names = [subject, ...query.getAll('model')].map(escapeName)
  return [inSuite('history', query), ...names].join('/')
}

/** A copy has the first pair of a comparison. */
function comparisonFolder(query: URLSearchParams): string {
  const rows = query.getAll('rows').flatMap((part) => part.split(','))
  const pair = query.get('pair')
  return [
    'compare',
    ...(rows.length > 0 ? [rows.map(safeName).join('--')] : []),
    ...(pair ? [pair] : []),
  ].join('/')
}

const DATA_FORMATS: Readonly<Record<string, string>> = { csv: 'csv', markdown: 'md' }

/** Returns the file of a response of the API; null = not part of the site. */
function dataFile(pathname: string, query: URLSearchParams): string | null {
  const [, room = '', name = ''] =
    /^\/api\/v1\/(leaderboard|rows|reports)(?:\/([^/]+))?$/.exec(pathname) ?? []
  const suite = query.get('suite')
  if (room === 'rows' && name !== '') return `api/rows/${safeName(decode(name))}.json`
  if (suite === null || query.has('version')) return null
  if (room === 'leaderboard') return `api/leaderboard/${safeName(suite)}.json`
  if (room !== 'reports' || name === '') return null
  const extension = DATA_FORMATS[query.get('format') ?? ''] ?? 'json'
  return `api/reports/${safeName(suite)}/${safeName(decode(name))}.${extension}`
}

function episodeFolder(id: string, query: URLSearchParams): string {
  const [tab, log] = [query.get('tab') ?? 'summary', query.get('log')]
  if (tab === 'summary') return `episodes/${id}`
  return tab === 'logs' && log === 'gate' ? `episodes/${id}/logs/gate` : `episodes/${id}/${tab}`
}

/**
 * Splits an address of the app into the file of its page and the remaining query or anchor. Null = not a page of the
 * site.
 */
export function pageFile(address: string): { file: string; rest: string } | null {
  const { pathname, searchParams, hash } = new URL(address, 'http://site.invalid')
  if (pathname === '/') return boardFile(searchParams, hash)
  if (pathname.startsWith('/api/')) {
    const file = dataFile(pathname, searchParams)
    return file === null ? null : { file, rest: '' }
  }
  const [, room, name = ''] = /^\/(agents|models)\/([^/]+)$/.exec(pathname) ?? []
  if (room) return { file: `${room}/${escapeName(decode(name))}/index.html`, rest: hash }
  for (const [pattern, folderOf] of PAGES) {
    const [, part] = pattern.exec(pathname) ?? []
    if (part === undefined && !pattern.test(pathname)) continue
    const safe = decode(part ?? '')
      .split('/')
      .map(safeName)
      .join('/')
    return { file: `${folderOf(safe, searchParams)}/index.html`, rest: hash }
  }
  return null
}

/** A board, or the page of the entry that the address opens on it. */
function boardFile(query: URLSearchParams, hash: string): { file: string; rest: string } {
  const { suite, version, open, ...view } = Object.fromEntries(query)
  if (open !== undefined && !open.includes(',') && Object.keys(view).length === 0)
    return { file: `rows/${safeName(open)}/index.html`, rest: hash }
  const state = new URLSearchParams({ ...view, ...(open === undefined ? {} : { open }) })
  const rest = `${state.size > 0 ? `?${state}` : ''}${hash}`
  if (suite === undefined) return { file: 'index.html', rest }
  return { file: `${boardFolder(suite, version ?? null)}/index.html`, rest }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The relative path from a file to the root of the site: `./`, `../../`. */
export function baseOf(file: string): string {
  return '../'.repeat(file.split('/').length - 1) || './'
}
