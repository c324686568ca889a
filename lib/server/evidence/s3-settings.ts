import { AppError } from '../../errors.ts'

/** Location and addressing of a bucket; credentials are configured elsewhere. */
export type S3Settings = {
  bucket: string
  /** Ends with a slash, unless it is empty. */
  prefix: string
  /** The server's URL without a path. */
  endpoint: URL
  region: string
  /** `path`: the bucket is the first part of the path; `host`: it is a prefix of the server's name. */
  style: 'path' | 'host'
  /** Id of the board when several hosts with their own data folders serve one; null = the data folder's. */
  board: string | null
}

const VARIABLE = 'PROOFBOARD_EVIDENCE_URL'
const EXAMPLE = 's3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1'
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const REGION = /^[a-z0-9-]{1,40}$/
const KNOWN = new Set(['endpoint', 'region', 'style', 'board'])
const BOARD = /^[\w-]{1,60}$/

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…&style=path|host&board=…`. Throws bad-configuration with one sentence.
 */
export function parseEvidenceUrl(text: string): S3Settings {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 's3:') throw refuse(`expected ${EXAMPLE}`)
  if (url.username !== '' || url.password !== '')
    throw refuse('keys do not belong into it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  const parameters = url.searchParams
  const unknown = [...parameters.keys()].find((name) => !KNOWN.has(name))
  if (unknown !== undefined) throw refuse(`it has no setting ${unknown.slice(0, 40)}`)
  const region = parameters.get('region') ?? 'us-east-1'
  if (!REGION.test(region)) throw refuse(`"${region.slice(0, 40)}" is not a region`)
  const endpoint = parameters.get('endpoint')
  return {
    bucket: readBucket(url.hostname),
    prefix: readPrefix(url.pathname),
    endpoint: readEndpoint(endpoint ?? `https://s3.${region}.amazonaws.com`),
    region,
    style: readStyle(parameters.get('style') ?? (endpoint === null ? 'host' : 'path')),
    board: readBoard(parameters.get('board')),
  }
}

function readBucket(name: string): string {
  if (BUCKET.test(name)) return name
  throw refuse(`"${name.slice(0, 80)}" is not the name of a bucket`)
}

function readStyle(style: string): S3Settings['style'] {
  if (style === 'path' || style === 'host') return style
  throw refuse('style is path or host')
}

function readBoard(board: string | null): string | null {
  if (board === null || BOARD.test(board)) return board
  throw refuse('board is at most 60 letters, digits and _ -')
}

function readEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url?.pathname === '/' && url.search === '' && url.hash === ''
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url && isPlain && isWeb && url.username === '') return url
  throw refuse('endpoint is the address of a server, such as https://s3.example.org')
}

function readPrefix(path: string): string {
  const prefix = decodeURIComponent(path).replace(/^\/+|\/+$/g, '')
  if (/^[\w./-]{0,200}$/.test(prefix) && !prefix.split('/').includes('..'))
    return prefix === '' ? '' : `${prefix}/`
  throw refuse('a prefix is at most 200 letters, digits, and . _ - /')
}

function refuse(why: string): AppError {
  return new AppError('bad-configuration', `environment variable ${VARIABLE}: ${why}`)
}
