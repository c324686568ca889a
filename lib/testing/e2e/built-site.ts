import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { openSqlite, type SqliteFile } from '#lib/db/sqlite-file.ts'

/** A server action of the build: its id for requests, and a page that can call it. */
export type BuiltAction = { id: string; name: string; page: string }

/** Pages, routes and actions of a build, from Next's manifests. */
type BuiltSite = { pages: string[]; routes: string[]; actions: BuiltAction[] }

const actionsSchema = z.object({
  node: z.record(
    z.string(),
    z.object({
      exportedName: z.string(),
      filename: z.string(),
      workers: z.record(z.string(), z.unknown()),
    }),
  ),
})
const pathsSchema = z.record(z.string(), z.string())

/** Reads the build's manifests, so that later additions are included. Parameters stay `[inBrackets]`. */
export function readBuiltSite(dist = '.next'): BuiltSite {
  const read = (name: string) => JSON.parse(readFileSync(`${dist}/server/${name}`, 'utf8'))
  const paths = Object.keys(pathsSchema.parse(read('app-paths-manifest.json')))
  const { node } = actionsSchema.parse(read('server-reference-manifest.json'))
  const ending = (kind: string) =>
    paths.filter((path) => path.endsWith(`/${kind}`) && !path.startsWith('/_')).map(toAddress)
  const actions = Object.entries(node).map(([id, { exportedName, filename, workers }]) => ({
    id,
    name: `${filename.replace(/^app\/|\/actions\.ts$/g, '')} ${exportedName}`,
    page: toAddress(`/${Object.keys(workers)[0]?.replace(/^app\//, '') ?? ''}`),
  }))
  return { pages: ending('page').sort(), routes: ending('route').sort(), actions }
}

/** Replaces every `[parameter]` of an address. */
export function fillAddress(address: string, values: Readonly<Record<string, string>>): string {
  return address.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_, name: string) => values[name] ?? `no-${name}`)
}

/** Converts `/(board)/runs/(list)/page` to `/runs`. */
function toAddress(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && !/^\(.*\)$/.test(part))
  return `/${parts.slice(0, -1).join('/')}`
}

export type Caller = {
  cookie?: string
  /** Null = the header is missing. */
  origin?: string | null
  /** The host that a proxy claims to have received. */
  forwardedHost?: string
}

export type ActionResponse = { status: number; text: string; cookie: string }

/**
 * Calls a server action as a browser's scripts do. Each of its arguments is the same form, so that any of them can be
 * read.
 */
export async function callAction(
  url: string,
  { id, page }: Pick<BuiltAction, 'id' | 'page'>,
  fields: Readonly<Record<string, string>>,
  { cookie = '', origin = url, forwardedHost }: Caller = {},
): Promise<ActionResponse> {
  const body = new FormData()
  for (const place of [1, 2])
    for (const [name, value] of Object.entries(fields)) body.append(`_${place}_${name}`, value)
  body.append('0', JSON.stringify(['$K1', '$K2']))
  const response = await fetch(`${url}${page}`, {
    method: 'POST',
    headers: {
      'next-action': id,
      cookie,
      ...(origin !== null && { origin }),
      ...(forwardedHost !== undefined && { 'x-forwarded-host': forwardedHost }),
    },
    body,
    redirect: 'manual',
  })
  const given = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return { status: response.status, text: await response.text(), cookie: given.join('; ') }
}

/** Tables that change without a request, or when one is refused. */
const MOVING = ['UserSession', 'SignInThrottle', 'AuditEntry', 'Worker']

/** Each table as `rows hash`: equal text = nothing was written. */
type Tables = Record<string, string>

/**
 * Compares the tables of a running server's database. They are read again only after another connection has written.
 */
export class TableWatch {
  readonly #db: SqliteFile
  #version: unknown = null
  #tables: Tables = {}

  constructor(file: string) {
    this.#db = openSqlite(file, { readOnly: true })
  }

  dump(): Tables {
    const version = this.#db.pragma('data_version', { simple: true })
    if (version !== this.#version) this.#tables = dumpTables(this.#db)
    this.#version = version
    return this.#tables
  }

  close(): void {
    this.#db.close()
  }
}

function dumpTables(db: SqliteFile): Tables {
  const tables = db
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
    .pluck()
    .all()
    .map(String)
  const stable = tables.filter((name) => !MOVING.includes(name))
  return Object.fromEntries(stable.map((name) => [name, describe(db, name)]))
}

/** Reads one value from the database, for an address or a form. */
export function readValue(file: string, sql: string): string {
  const db = openSqlite(file, { readOnly: true })
  try {
    return String(db.prepare(sql).pluck().get() ?? '')
  } finally {
    db.close()
  }
}

function describe(db: SqliteFile, table: string): string {
  const rows = db.prepare(`SELECT * FROM "${table}" ORDER BY rowid`).raw().all()
  return `${rows.length} ${createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16)}`
}
