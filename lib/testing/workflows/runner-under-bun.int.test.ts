import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bundle, planSchema } from '#lib/domain/record/index.ts'
import {
  type CommandEnd,
  lastJson,
  readMeasuredBundle,
  startProofboard,
  temporarySuite,
} from '#lib/testing/factories/proofboard-command.ts'
import { listProcesses } from '#runner/sandbox/process/list-processes.ts'
import { BUN_VERSION, installBun } from '../factories/install-runtime.ts'
import { lacking } from '../needs.ts'

/** Takes a minute and a download. */
const bun = process.env.PROOFBOARD_PROVE_CI ? await installBun() : null
const lacks = bun?.ok === false ? `Bun ${BUN_VERSION}: ${bun.reason}` : null

let folder: string
const place = (name: string) => join(folder, name)
type Runtime = 'node' | 'bun'

function proofboard(
  runtime: Runtime,
  line: string,
  more: Record<string, string> = {},
): Promise<CommandEnd> {
  const program = bun?.ok && runtime === 'bun' ? bun.program : process.execPath
  return startProofboard(folder, line.split(' '), more, program).ended
}

async function measured(runtime: Runtime, line: string): Promise<CommandEnd> {
  const startedAt = performance.now()
  const end = await proofboard(runtime, line)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stderr.write(`MEASURED, ${runtime} ${line.split(' ')[0]}: ${seconds} s\n`)
  return end
}

const readResult = (name: string) => readMeasuredBundle(join(place(name), 'result.json'))

/** Logarithms and powers of the two engines differ in the last of 16 digits, and so may bounds of intervals. */
function rounded(end: CommandEnd | undefined): unknown {
  return JSON.parse(end?.stdout ?? '', (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(12)) : value,
  )
}

/** The shape of a value: names and types without contents; lists by the shapes of their elements. */
function shapeOf(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  if (Array.isArray(value)) return [...new Set(value.map((one) => JSON.stringify(shapeOf(one))))]
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, shapeOf(one)]),
  )
}

const LIMITS = { tags: 'prove-ci', timeout: 180_000, ...lacking(lacks) } as const

describe(`the runner's command line under Bun ${BUN_VERSION}`, LIMITS, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'proofboard-bun-'))
    temporarySuite(folder, 'small', ['lru-cache'])
    const requested = '--suite small --subject reference --repetitions 2'
    for (const runtime of ['node', 'bun'] as const) {
      const plan = place(`${runtime}.json`)
      const planned = await measured(runtime, `plan ${requested} --out ${plan}`)
      expect(planned.code, planned.stderr).toBe(0)
      const run = `run --plan ${plan} --run-id run_samename --out`
      const ended = await measured(runtime, `${run} ${place(runtime)}`)
      expect(ended.code, ended.stderr).toBe(0)
    }
  }, 240_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('says the same version and freezes the same plan as under node', async () => {
    const [mine, theirs] = await Promise.all([
      proofboard('node', '--version'),
      proofboard('bun', '--version'),
    ])
    expect(theirs).toEqual(mine)
    const read = (name: string) =>
      planSchema.parse(JSON.parse(readFileSync(place(`${name}.json`), 'utf8')))
    const when = '2026-01-01T00:00:00.000Z'
    const plain = (name: string) => ({ ...read(name), frozenAt: when, planDigest: null })
    expect(plain('bun')).toEqual(plain('node'))
  })

  it('gives a result of the same shape, the same outcomes, and says what it ran under', () => {
    const [mine, theirs] = [readResult('node'), readResult('bun')]
    const told = ({ episodes }: Bundle) =>
      episodes.map(({ taskId, repetition, outcome, contract, subject }) => ({
        taskId,
        repetition,
        outcome,
        subject,
        verdict: contract?.verdict,
      }))
    expect(told(theirs)).toEqual(told(mine))
    expect(theirs.episodes.every(({ outcome }) => outcome.status === 'solved')).toBe(true)
    const withoutBun = ({ lock: { bun: _, ...lock }, ...rest }: Bundle) => ({
      ...rest,
      lock,
      episodes: rest.episodes.map(({ environment: { bun: __, ...environment }, ...episode }) => ({
        ...episode,
        environment,
      })),
    })
    expect(shapeOf(withoutBun(theirs))).toEqual(shapeOf(withoutBun(mine)))
    expect([mine.lock.node, mine.lock.bun]).toEqual([process.version, null])
    expect([theirs.lock.node, theirs.lock.bun]).toEqual([process.version, BUN_VERSION])
  })

  it('checks a result, merges shards that node and Bun ran, and refuses what does not fit', async () => {
    const plan = place('bun.json')
    const shard = (runtime: Runtime, part: string) =>
      proofboard(
        runtime,
        `run --plan ${plan} --shard ${part}/2 --run-id run_shared00 --out ${place(`shards/${part}`)}`,
      )
    mkdirSync(place('shards'))
    const ends = await Promise.all([shard('bun', '1'), shard('node', '2')])
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
    const merged = await proofboard(
      'bun',
      `merge ${place('shards')} --out ${place('merged')} --json`,
    )
    expect(lastJson(merged.stdout)).toMatchObject({ sealed: 2, scored: 2, missing: [] })
    const checks = await Promise.all(
      (['node', 'bun'] as const).map((one) =>
        proofboard(one, `check ${place('merged')}/result.json --json`),
      ),
    )
    expect(rounded(checks[1])).toEqual(rounded(checks[0]))
    expect(lastJson(checks[1]?.stdout ?? '')).toMatchObject({ ok: true, episodes: 2 })
    const twice = await proofboard(
      'bun',
      `merge ${place('node')} ${place('bun')} --out ${place('no')}`,
    )
    expect([twice.code, existsSync(place('no'))]).toEqual([2, false])
  })

  it('catches who cheats: tests are judged behind the walls of a node of their own', async () => {
    await proofboard('bun', `run --suite small --subject cheater --out ${place('cheated')}`)
    const outcomes = readResult('cheated').episodes.map(({ outcome }) => outcome.status)
    expect(outcomes).toEqual(['tampered'])
  })

  it('ends a subject and all it started at its time limit', async () => {
    const end = await startProofboard(
      folder,
      [
        ...'run --suite small --timeout 2 --name sleeper --subject-version 1'.split(' '),
        ...['--out', place('late'), '--command', '(setsid sleep 297 &) ; sleep 298'],
      ],
      {},
      bun?.ok ? bun.program : '',
    ).ended
    expect(end.code, end.stderr).toBe(0)
    expect(readResult('late').episodes.map(({ outcome }) => outcome)).toMatchObject([
      { status: 'out-of-budget', budget: 'time' },
    ])
    const left = listProcesses().filter(({ environment }) => environment.includes(folder))
    expect(left).toEqual([])
  })

  it('says what is missing where there is no node to judge with, and writes nothing', async () => {
    mkdirSync(place('empty'))
    const out = place('nothing')
    const end = await proofboard('bun', `run --suite small --subject reference --out ${out}`, {
      PATH: place('empty'),
    })
    expect([end.code, end.stderr.trim()]).toEqual([
      1,
      'no node was found. Bun runs Proofboard, but tests are judged in a node of their own (20.19 or newer): put one into PATH',
    ])
    expect(existsSync(out)).toBe(false)
  })
})
