import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { BUNDLE_KIND, type Bundle, type EvidenceFile } from '#lib/domain/record/index.ts'
import { loadSite } from '#lib/site/load-site.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { comparedBundle, writeResult } from '#lib/testing/factories/compared-bundle.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { sampleEpisode } from '#lib/testing/factories/samples.ts'
import { siteOfResults } from './read-results.ts'
import { serveView, type View } from './serve-view.ts'

const HOSTILE = '<script>alert(1)</script>"\'&\u202E'
const folder = mkdtempSync(join(tmpdir(), 'proofboard-view-'))
let view: View
let ids: Record<'first' | 'other', string>

const file = (role: EvidenceFile['role'], path: string, text: string): EvidenceFile => ({
  role,
  path,
  digest: digestBytes(text),
  sizeBytes: text.length,
  droppedBytes: 0,
})

/** A run whose first attempt has every kind of file: whole, changed, missing, and a link out of its folder. */
function plantRun(): Bundle {
  const bundle = comparedBundle('agent', 'run_view00000', () => 2)
  const log = `${HOSTILE}\nsecond line`
  const evidence = [
    file('subject-log', 'subject.log', log),
    file('workspace-diff', 'workspace.diff', '+ added\n- removed'),
    file('gate-log', 'gate.log', 'what was sealed'),
    file('solution', 'solution/a.ts', 'outside'),
    file('solution', 'solution/b.ts', 'nowhere'),
  ]
  const [first, ...rest] = bundle.episodes
  if (!first) throw new Error('no episode')
  const { seal: _, ...body } = first
  const planted = sampleEpisode({ ...body, evidence }, bundle.plan)
  const place = join(folder, 'run', 'episodes', first.taskId, 'r1-a1')
  mkdirSync(join(place, 'solution'), { recursive: true })
  writeFileSync(join(place, 'subject.log'), log)
  writeFileSync(join(place, 'workspace.diff'), '+ added\n- removed')
  writeFileSync(join(place, 'gate.log'), 'what was changed afterwards')
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  symlinkSync(join(folder, 'secret.txt'), join(place, 'solution', 'a.ts'))
  ids = { first: planted.episodeId, other: rest.at(-1)?.episodeId ?? '' }
  return { ...bundle, kind: BUNDLE_KIND, episodes: [planted, ...rest] }
}

beforeAll(async () => {
  const bundle = plantRun()
  writeResult(join(folder, 'run'), bundle)
  const bundles = [{ file: join(folder, 'run', 'result.json'), bundle }]
  view = await serveView(siteOfResults({ bundles, suites: [], provenance: 'local' }), 0)
})
afterAll(async () => {
  await view.close()
  rmSync(folder, { recursive: true, force: true })
})

function plantLongLog(): { bundle: Bundle; path: string; episodeId: string } {
  const bundle = comparedBundle('agent', 'run_long00000', () => 1)
  const [first] = bundle.episodes
  if (!first) throw new Error('no episode')
  const log = 'a line of thirty characters...\n'.repeat(100_000).slice(0, 3_000_000)
  const place = join(folder, 'long', 'episodes', first.taskId, 'r1-a1')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'subject.log'), log)
  const { seal: _, ...body } = first
  const evidence = [file('subject-log', 'subject.log', log)]
  const planted = sampleEpisode({ ...body, evidence }, bundle.plan)
  const path = join(folder, 'long', 'result.json')
  return {
    bundle: { ...bundle, kind: BUNDLE_KIND, episodes: [planted] },
    path,
    episodeId: planted.episodeId,
  }
}

const get = async (path: string) => {
  const response = await fetch(new URL(path, view.url))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** A request as fetch would not make it. */
function raw(path: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  const { port } = new URL(view.url)
  return new Promise((resolve, reject) => {
    const requested = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    requested.on('error', reject).end()
  })
}

describe('the pages of a result on this machine', () => {
  it('have pages of agents, of models and of the methodology', async () => {
    const { text } = await get('/')
    for (const room of ['agents', 'models', 'methodology'])
      expect(text).toContain(`href="./${room}/index.html"`)
    const agents = await get('/agents/')
    const [, page = ''] = /href="\.\.\/(agents\/[^"]+\/index\.html)"/.exec(agents.text) ?? []
    expect((await get(`/${page}`)).text).toContain('How attempts ended')
    expect((await get('/methodology/')).text).toContain('href="../methodology/evidence/index.html"')
    expect((await get('/methodology/evidence/')).text).toContain('id="gate-samples"')
  })

  it('lead from the board over an entry to an episode with verdict, diff and logs', async () => {
    const board = await get('/')
    const row = /href="\.\/(rows\/[^"]+)"/.exec(board.text)?.[1] ?? ''
    const entry = await get(row)
    expect(entry.text).toContain('Why this entry is not ranked')
    expect(entry.text).toContain('task-12')
    expect(entry.text).toContain(`href="../../episodes/${ids.first}/index.html"`)
    expect((await get(`/episodes/${ids.first}/diff/`)).text).toContain('+ added')
    expect((await get(`/episodes/${ids.first}/logs/`)).text).toContain('second line')
    expect((await get(`/episodes/${ids.other}`)).text).toMatch(/budget/)
  })

  it('show hostile text as text, and load nothing from elsewhere', async () => {
    const log = await get(`/episodes/${ids.first}/logs/`)
    expect(log.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#x27;&amp;⟨U+202E⟩')
    for (const { text } of [log, await get('/'), await get(`/episodes/${ids.first}`)]) {
      expect(text).not.toContain('<script>')
      const loaded = [...text.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]*)"/g)]
      expect(
        loaded.every(([, address = '']) => /^(?:\.\.?\/)+(?:assets|rows)\//.test(address)),
      ).toBe(true)
    }
    expect(log.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'/,
    )
    expect((await get(`/episodes/${ids.first}/files/0.txt`)).headers.get('content-type')).toBe(
      'text/plain; charset=utf-8',
    )
  })

  it('a hostile name neither ends the data of a board nor adds a tag', async () => {
    const bundle = comparedBundle('agent', 'run_name00000', () => 1)
    const name = '</script><img src=x onerror=alert(1)>\u202E'
    const subject = { ...bundle.plan.subject, name }
    const named = {
      ...bundle,
      plan: { ...bundle.plan, subject },
      episodes: bundle.episodes.map((one) => ({ ...one, subject: { ...one.subject, name } })),
    }
    const file = join(folder, 'run', 'result.json')
    const { openSite } = await loadSite()
    const input = siteOfResults({
      bundles: [{ file, bundle: { ...named, kind: BUNDLE_KIND } }],
      suites: [],
      provenance: 'local',
    })
    const site = openSite(input)
    for (const path of site.paths.filter((one) => one.endsWith('.html'))) {
      const page = String((await site.draw(path))?.body)
      expect(page, path).not.toContain('<img src=x')
      expect(page.match(/<\/script>/g)?.length, path).toBe(page.match(/<script /g)?.length)
    }
  })

  it('say which file was changed after it was sealed, and follow no link out of the folder', async () => {
    const { text } = await get(`/episodes/${ids.first}`)
    expect(text).toContain('was changed after it was sealed')
    expect(text.match(/is not here; its digest is in the envelope/g)).toHaveLength(2)
    expect(text).not.toContain('secret')
    expect((await get(`/episodes/${ids.first}/files/3.txt`)).status).toBe(404)
  })

  it('show the beginning of a long log, with a link to all of it', async () => {
    const { bundle, path, episodeId } = plantLongLog()
    const input = siteOfResults({
      bundles: [{ file: path, bundle }],
      suites: [],
      provenance: 'local',
    })
    const { openSite } = await loadSite()
    const site = openSite(input)
    const page = String((await site.draw(`episodes/${episodeId}/logs/index.html`))?.body)
    expect(page).toContain('The first 2,000 lines of 3.0 MB.')
    expect(page).toContain(`href="../../../episodes/${episodeId}/files/0.txt"`)
    expect(page.length).toBeLessThan(1_000_000)
    expect((await site.draw(`episodes/${episodeId}/files/0.txt`))?.body).toHaveLength(3_000_000)
  })

  it.each([
    '/episodes/..%2f..%2fsecret.txt',
    '/../../secret.txt',
    '/episodes/x/files/0',
    '/rows/nothing',
    '/%ff',
    '/favicon.ico',
  ])('answer 404 for %s', async (path) => {
    expect(await raw(path, { host: new URL(view.url).host })).toBe(404)
  })

  it('answer only to their own name, and only reads', async () => {
    const { host } = new URL(view.url)
    expect(await raw('/', { host: 'evil.example' })).toBe(421)
    expect(await raw('/', { host: `evil.example:${new URL(view.url).port}` })).toBe(421)
    expect(await raw('/', { host }, 'POST')).toBe(405)
    expect(await raw('/', { host: host.replace('127.0.0.1', 'localhost') })).toBe(200)
  })
})

describe('proofboard view', () => {
  it('prints its address, answers there, and ends with Ctrl-C without leaving anything', async () => {
    const before = readdirSync(join(folder, 'run'), { recursive: true })
    const { child, ended } = startProofboard(join(folder, 'data'), [
      'view',
      join(folder, 'run'),
      '--json',
    ])
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout?.once('data', resolve)
      ended.then(({ stderr }) => reject(new Error(stderr)), reject)
    })
    const { url } = lastJson(line)
    expect(await (await fetch(String(url))).text()).toContain('agent')
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(join(folder, 'run'), { recursive: true })).toEqual(before)
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  it('refuses a port that is taken in one sentence', async () => {
    const { port } = new URL(view.url)
    const args = ['view', join(folder, 'run'), '--port', port]
    const { code, stderr } = await proofboardHere(join(folder, 'data'), args)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^port \d+ cannot be used .*choose another --port\n$/),
    ])
  })
})
