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
import {
  BUNDLE_KIND,
  type Bundle,
  digestBytes,
  type EvidenceFile,
} from '#lib/domain/record/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { comparedBundle, writeResult } from '#lib/testing/factories/compared-bundle.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { sampleEpisode } from '#lib/testing/factories/samples.ts'
import { viewResults } from './read-results.ts'
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
  view = await serveView(viewResults([{ file: join(folder, 'run', 'result.json'), bundle }], []), 0)
})
afterAll(async () => {
  await view.close()
  rmSync(folder, { recursive: true, force: true })
})

const get = async (path: string) => {
  const response = await fetch(new URL(path, view.url))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** A request as fetch would not make it. */
function raw(path: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  const { port } = new URL(view.url)
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asked.on('error', reject).end()
  })
}

describe('the pages of a result on this machine', () => {
  it('lead from the board over an entry to an episode with verdict, diff and logs', async () => {
    const board = await get('/')
    const row = /href="(\/rows\/[^"]+)"/.exec(board.text)?.[1] ?? ''
    const entry = await get(row)
    expect(entry.text).toContain('Why this entry is not ranked')
    expect(entry.text).toContain('task-12')
    expect(entry.text).toContain(`/episodes/${ids.first}`)
    const episode = await get(`/episodes/${ids.first}`)
    expect(episode.text).toContain('<span class="add">+ added</span>')
    expect(episode.text).toContain('second line')
    expect((await get(`/episodes/${ids.other}`)).text).toContain('out-of-budget')
  })

  it('show hostile text as text, and load nothing', async () => {
    const { text, headers } = await get(`/episodes/${ids.first}`)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;⟨U+202E⟩')
    expect(text).not.toMatch(/<script/)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect((await get(`/episodes/${ids.first}/files/0`)).headers.get('content-type')).toBe(
      'text/plain; charset=utf-8',
    )
  })

  it('say which file was changed after it was sealed, and follow no link out of the folder', async () => {
    const { text } = await get(`/episodes/${ids.first}`)
    expect(text).toContain('This file was changed after it was sealed')
    expect(text.match(/This file is not here/g)).toHaveLength(2)
    expect(text).not.toContain('secret')
    expect((await get(`/episodes/${ids.first}/files/3`)).status).toBe(404)
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
