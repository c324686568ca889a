import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDatabase, database } from '#lib/db/database.ts'
import { unpackEnvelope } from '#lib/db/stored-episode.ts'
import {
  buildOpenApi,
  FORMATS,
  publishSchema,
  READ_ENDPOINTS,
  type ReadEndpoint,
  WRITE_ENDPOINTS,
} from '#lib/domain/api/index.ts'
import { settleEnv } from '#lib/env.ts'
import { plantDemo } from '#lib/testing/factories/demo/plant-demo.ts'

type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string> | undefined> },
) => Promise<Response>

const FOLDER = 'app/api/v1'
/** The route for unknown paths, which is not an endpoint. */
const CATCH_ALL = '/{{...path}}'
const dir = mkdtempSync(join(tmpdir(), 'proofboard-openapi-'))
const document = buildOpenApi({ publicUrl: 'http://localhost:3000', version: '0.0.0' })
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema(document, 'openapi')

/** Real names for path parameters, and required query parameters. */
let values: Record<string, string> = {}
/** An episode with a transcript. */
let spokenId = ''
const QUERIES: Record<string, () => string> = {
  compareRows: () => `rows=${values.rowId},${values.otherRowId}`,
  getComparisonPreview: () => `rows=${values.rowId},${values.otherRowId}`,
  searchLog: () => 'q=e',
  getTask: () => 'suite=demo',
  exportLeaderboard: () => 'suite=demo',
  getChart: () => 'suite=demo',
}

const routeFiles = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('route.ts'))
  .map((path) => `/${path.replace(/\/?route\.ts$/, '')}`.replaceAll('[', '{').replaceAll(']', '}'))
  .filter((path) => path !== CATCH_ALL)

const namesFor = (id: string) =>
  id === 'getTranscript' || id === 'getTrajectory' ? { ...values, episodeId: spokenId } : values

const fileOf = (path: string) =>
  `./${path.slice(1).replaceAll('{', '[').replaceAll('}', ']')}/route.ts`
const handlers = import.meta.glob<Record<string, Handler>>('./**/route.ts')

async function ask(
  { path, id }: Pick<ReadEndpoint, 'path' | 'id'>,
  { method = 'GET', query = QUERIES[id]?.() ?? '', headers = {}, names = namesFor(id) } = {},
): Promise<Response> {
  const route = await handlers[fileOf(path)]?.()
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(names[name] ?? `no-${name}`),
  )
  const request = new Request(`http://localhost/api/v1${address}${query && `?${query}`}`, {
    method,
    headers,
  })
  // Next passes no parameters to a path without any.
  const params = path.includes('{') ? names : undefined
  return route![method]!(request, { params: Promise.resolve(params) })
}

beforeAll(async () => {
  Object.assign(process.env, { PROOFBOARD_DATA_DIR: dir, PROOFBOARD_LOG_LEVEL: 'silent' })
  settleEnv(process.cwd())
  await plantDemo(dir, { withBrowser: true, isSmall: true })
  const db = database()
  const board = await (await ask(READ_ENDPOINTS[0]!, { query: 'suite=demo' })).json()
  const short = board.rows.find(({ refusals }: { refusals: { code: string }[] }) =>
    refusals.some(({ code }) => code === 'samples'),
  )
  const kept = await db.episode.findFirstOrThrow({
    where: { suiteId: 'demo-browser', directory: { not: null }, status: 'solved' },
  })
  const spoken = await db.episode.findFirstOrThrow({
    where: { suiteId: 'demo', directory: { not: null } },
  })
  spokenId = spoken.episodeId
  values = {
    rowId: short.rowId,
    otherRowId: board.rows.find(({ rowId }: { rowId: string }) => rowId !== short.rowId).rowId,
    suiteId: 'demo',
    taskId: board.suite.tasks[0].taskId,
    subjectId: (await db.subject.findFirstOrThrow()).id,
    runId: kept.runId,
    episodeId: kept.episodeId,
    planDigest: kept.planDigest,
    axis: 'task-completion',
    name: 'episode',
  }
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

describe('the document', () => {
  it('describes every route, and no other', () => {
    const described = [...new Set([...READ_ENDPOINTS, ...WRITE_ENDPOINTS].map(({ path }) => path))]
    const missing = routeFiles.filter((path) => !described.includes(path))
    const words =
      'add the route to READ_ENDPOINTS (lib/domain/api/endpoints) or WRITE_ENDPOINTS (lib/domain/api/write-endpoint.ts)'
    expect(missing, words).toEqual([])
    expect(described.filter((path) => !routeFiles.includes(path))).toEqual([])
    expect(Object.keys(document.paths).sort()).toEqual(described.sort())
  })

  it('names every operation and component once, and refers to nothing that is not there', () => {
    const ids = [...READ_ENDPOINTS, ...WRITE_ENDPOINTS].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const names = Object.keys(document.components.schemas ?? {})
    const referenced = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]*)"/g)]
    expect(referenced.length).toBeGreaterThan(50)
    for (const [, name] of referenced) expect(names).toContain(name)
  })

  // Other runs compile only the schemas of responses and of the problem.
  it('has no component that is not a schema', { tags: 'night' }, () => {
    const names = Object.keys(document.components.schemas ?? {})
    expect(names.length).toBeGreaterThan(20)
    for (const name of names)
      expect(() => ajv.compile({ $ref: `openapi#/components/schemas/${name}` }), name).not.toThrow()
  })

  it('says of every path which parameters it has', () => {
    for (const { path, params } of READ_ENDPOINTS) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(params.shape), path).toEqual(inPath)
    }
  })
})

describe.each(READ_ENDPOINTS.map((endpoint) => [endpoint.path, endpoint] as const))(
  'GET %s',
  (path, endpoint) => {
    const { id, types, response: result, params, query } = endpoint

    it('answers what it is said to answer, to any site', async () => {
      const response = await ask(endpoint)
      expect(response.status, await response.clone().text()).toBe(200)
      const type = response.headers.get('content-type')?.split(';')[0]
      expect(types).toContain(type)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
      expect(response.headers.get('cache-control')).not.toBeNull()
      if (type === 'application/x-ndjson') {
        const lines = (await response.text()).trim().split('\n')
        for (const line of lines) fits(endpoint, JSON.parse(line))
        return
      }
      if (type?.includes('json')) return fits(endpoint, await response.json())
      if (id.startsWith('follow')) return response.body?.cancel()
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0)
    })

    it('has the same head, knows who has it already, and refuses other methods and types', async () => {
      const head = await ask(endpoint, { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      const etag = head.headers.get('etag')
      const changes = id.startsWith('follow') || ['getTopUp', 'searchLog'].includes(id)
      const isHealth = path.startsWith('/health')
      if (!changes && !isHealth) {
        expect(etag).toMatch(/^"/)
        const again = await ask(endpoint, { headers: { 'if-none-match': `W/${etag}` } })
        expect([again.status, await again.text()]).toEqual([304, ''])
      }
      const options = await ask(endpoint, { method: 'OPTIONS' })
      expect([options.status, options.headers.get('access-control-allow-methods')]).toEqual([
        204,
        'GET, HEAD, OPTIONS',
      ])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const refused = await ask(endpoint, { method })
        expect(refused.headers.get('access-control-allow-origin'), 'a write').toBeNull()
        expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
        await isProblem(refused, 405, 'method-not-allowed')
      }
      const odd = await ask(endpoint, { headers: { accept: 'video/mp4' } })
      await isProblem(odd, 406, 'not-acceptable')
    })

    it('refuses a parameter it does not know, and what is not there', async () => {
      const invalid = await ask(endpoint, { query: `${QUERIES[id]?.() ?? ''}&limitt=5` })
      await isProblem(invalid, 400, 'invalid-request')
      if (Object.keys(params.shape).length === 0) return
      const names = Object.fromEntries(Object.keys(params.shape).map((name) => [name, 'nowhere']))
      const response = await ask(endpoint, { names })
      if (endpoint.pool === 'badges') return response.body?.cancel()
      await isProblem(response, 404, 'not-found')
    })

    // Feeds link to their next page differently, see feed.int.test.ts.
    if ('cursor' in query.shape && !path.startsWith('/feed.'))
      it('gives the whole page by page', async () => {
        const list = async (address: string) => {
          const response = await ask(endpoint, { query: address.split('?')[1] ?? '' })
          const { next, ...body } = await response.json()
          const link = response.headers.get('link')
          expect(link).toBe(next === null ? null : `<${next}>; rel="next"`)
          const [items] = Object.values(body).filter((value) => Array.isArray(value))
          return { next, items: items as unknown[] }
        }
        const whole = await list('?limit=500')
        const walked: unknown[] = []
        const size = Math.max(1, Math.ceil(whole.items.length / 4))
        for (let next = `?limit=${size}`; next !== null; ) {
          const page = await list(next)
          walked.push(...page.items)
          next = page.next
        }
        expect(walked.slice(0, 500)).toEqual(whole.items)
        expect(walked.length).toBeGreaterThanOrEqual(whole.items.length)
        await isProblem(await ask(endpoint, { query: 'cursor=made-up' }), 400, 'invalid-request')
      })

    /** Expects a body to match the document's schema, and to have no undocumented member. */
    function fits({ response: { name, schema } }: ReadEndpoint, body: unknown): void {
      const check = ajv.compile({ $ref: `openapi#/components/schemas/${name}` })
      expect(check(body), `${result.name}: ${ajv.errorsText(check.errors)}`).toBe(true)
      expect(schema.parse(body)).toEqual(body)
    }
  },
)

describe('schemas', () => {
  it.each(FORMATS.map((format) => [format.name, format] as const))('%s is one', (name, format) => {
    const schema = publishSchema(format, 'https://board.example/')
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `https://board.example/api/v1/schemas/${name}`,
    })
    expect(ajv.validateSchema(schema), ajv.errorsText(ajv.errors)).toBe(true)
  })

  it.each(FORMATS.map((format) => [format.name, format] as const))(
    '%s can be compiled',
    { tags: 'night' },
    (_, format) => {
      const schema = publishSchema(format, 'https://board.example/')
      const compile = () => new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
      expect(compile).not.toThrow()
    },
  )

  it('takes a sealed envelope, and none that lacks its seal', async () => {
    const { envelope } = await database().episode.findFirstOrThrow()
    const format = FORMATS.find(({ name }) => name === 'episode')!
    const check = ajv.compile(publishSchema(format, 'http://localhost'))
    const { seal, ...unsealed } = JSON.parse(unpackEnvelope(envelope))
    expect([check({ ...unsealed, seal }), check(unsealed)]).toEqual([true, false])
  })
})

async function isProblem(response: Response, status: number, code: string): Promise<void> {
  const body = await response.json()
  expect([response.status, response.headers.get('content-type')]).toEqual([
    status,
    'application/problem+json',
  ])
  expect(body).toMatchObject({ status, code, error: { code, message: body.detail } })
  const check = ajv.compile({ $ref: 'openapi#/components/schemas/Problem' })
  expect(check(body), ajv.errorsText(check.errors)).toBe(true)
}
