import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleSchema } from '#lib/domain/record/bundle.ts'
import type { Episode } from '#lib/domain/record/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { ASKS_ONCE, writeFakeAgent } from '#lib/testing/factories/fake-agent.ts'
import { checkModelRecord } from './check-model-record.ts'

type Attempt = { folder: string; episode: Episode }
let root: string
let recorded: Attempt
let replayed: Attempt

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-record-'))
  chmodSync(root, 0o755)
  const own = join(root, 'agent')
  mkdirSync(own)
  const agent = writeFakeAgent(own, ASKS_ONCE)
  const script = join(root, 'script.json')
  const turns = [{ say: 'I write it down.', usage: { input: 4211, output: 977 } }]
  writeFileSync(script, JSON.stringify({ turns }))
  const args = ['--suite', 'typescript', '--tasks', 'lru-cache', '--agent-file', agent]
  const model = ['--provider', 'scripted', '--model', 'scripted-1']
  const run = async (name: string, ...more: string[]): Promise<Attempt> => {
    const out = join(root, name)
    const command = ['run', ...args, ...model, '--out', out, ...more]
    const { stderr } = await proofboardHere(join(root, 'data'), command)
    if (!existsSync(join(out, 'result.json'))) throw new Error(stderr)
    const bundle = bundleSchema.safeParse(
      JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')),
    )
    const episode = bundle.data?.episodes[0]
    if (!episode) throw new Error(stderr)
    return { folder: join(out, 'episodes', 'lru-cache', 'r1-a1'), episode }
  }
  recorded = await run('recorded', '--script', script, '--record')
  replayed = await run('replayed', '--replay', join(root, 'recorded'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const change = (file: string, by: (text: string) => string) => {
  const path = join(recorded.folder, file)
  const before = readFileSync(path, 'utf8')
  writeFileSync(path, by(before))
  return () => writeFileSync(path, before)
}

describe('the stored files of a model', () => {
  it('agree after a run that records and after its replay', async () => {
    const whole = { problem: null, isRecorded: true }
    expect(await checkModelRecord(recorded.folder, recorded.episode)).toEqual(whole)
    const { evidence } = replayed.episode
    const isRecorded = evidence.some(({ role }) => role === 'gateway-recording')
    expect(await checkModelRecord(replayed.folder, replayed.episode)).toEqual({
      problem: null,
      isRecorded,
    })
    expect(replayed.episode.usage?.tokens).toEqual(recorded.episode.usage?.tokens)
  })

  it.each<[string, string, (text: string) => string]>([
    ['a recording that is not one', 'recording.json', () => 'not a recording'],
    ['a recording that was edited', 'recording.json', (text) => text.replace('977', '100')],
    [
      'calls that the recording does not have',
      'calls.ndjson',
      (text) => text.replace('977', '976'),
    ],
  ])('contradict each other: %s', async (_, file, by) => {
    const undo = change(file, by)
    const { problem, isRecorded } = await checkModelRecord(recorded.folder, recorded.episode)
    undo()
    expect([problem, isRecorded]).toEqual(['contradicted', false])
  })

  it('have to be there for a replay, with a log of calls', async () => {
    const episode: Episode = { ...recorded.episode, mode: 'recorded-real' }
    const without = (name: string) => ({
      ...episode,
      evidence: episode.evidence.filter(({ path }) => path !== name),
    })
    const bare = await checkModelRecord(recorded.folder, without('recording.json'))
    expect(bare.problem).toBe('missing')
    const alone = await checkModelRecord(recorded.folder, without('calls.ndjson'))
    expect(alone.problem).toBe('contradicted')
  })

  it.each(['price-table', 'flat'])(
    'name no cost below the price of their tokens: %s',
    async (source) => {
      const undo = change('calls.ndjson', (text) =>
        text
          .replaceAll('scripted-1', 'claude-sonnet-4-5')
          .replace(/"costMicroUsd":(null|\d+)/, '"costMicroUsd":1')
          .replace(/"costSource":"[a-z-]+"/, `"costSource":"${source}"`),
      )
      const { subject, evidence } = recorded.episode
      const live = {
        ...recorded.episode,
        subject: { ...subject, provider: 'anthropic' },
        evidence: evidence.filter(({ role }) => role !== 'gateway-recording'),
      }
      const { problem } = await checkModelRecord(recorded.folder, live)
      undo()
      expect(problem).toBe('contradicted')
    },
  )
})
