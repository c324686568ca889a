import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bundle, parseBundle } from '#lib/domain/record/index.ts'
import { endOf, SUBJECTS } from '#lib/testing/cases/subjects-that-end.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { lastJson, pollUntil, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { allocatesUsers } from '../sandbox/isolation/allocate-sandbox-uid.ts'
import { listProcesses } from '../sandbox/process/list-processes.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const start = (args: readonly string[], env = {}) => startProofboard(join(root, 'data'), args, env)
const proofboard = (...args: string[]) => proofboardHere(join(root, 'data'), args)

function bundleIn(out: string): Bundle {
  const parsed = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems.slice(0, 3)))
  return parsed.value
}

describe('proofboard run', () => {
  it('keeps its id where nothing is sealed yet, and says how to resume what broke off', async () => {
    const out = join(root, 'out')
    const args = ['run', '--suite', 'typescript', '--subject', 'nop', '--tasks', 'lru-cache']
    await proofboard(...args, '--out', out)
    const { runId } = bundleIn(out)
    const result = join(out, 'result.json')
    for (const path of [result, join(out, 'episodes')]) rmSync(path, { recursive: true })
    mkdirSync(result)
    const resume = ['run', '--plan', join(out, 'plan.json'), '--out', out]
    const broken = await proofboard(...resume)
    expect(broken.code).not.toBe(0)
    // Quoted where a shell would interpret it.
    const [message = ''] = /^resume with: npx proofboard .*$/m.exec(broken.stderr) ?? []
    expect(message.replaceAll("'", '')).toContain(`${resume.join(' ')} (`)
    for (const path of [result, join(out, 'episodes')]) rmSync(path, { recursive: true })
    await proofboard(...resume)
    expect(bundleIn(out).runId).toBe(runId)
  })

  it('seals every episode of a control and answers with one JSON object', async () => {
    const out = join(root, 'out')
    const { code, stdout } = await proofboard(
      'run',
      '--suite',
      'typescript',
      '--subject',
      'reference',
      '--tasks',
      'lru-cache,rate-limiter',
      '--out',
      out,
      '--json',
    )
    expect(code).toBe(0)
    expect(lastJson(stdout)).toMatchObject({
      planned: 2,
      sealed: 2,
      solved: 2,
      unsolved: 0,
      void: 0,
      resultPath: join(out, 'result.json'),
    })
    const { episodes } = bundleIn(out)
    expect(
      episodes.map(({ taskId, outcome, overallSuccess, mode }) => [
        taskId,
        outcome.status,
        overallSuccess,
        mode,
      ]),
    ).toEqual([
      ['lru-cache', 'solved', true, 'scaffold'],
      ['rate-limiter', 'solved', true, 'scaffold'],
    ])
    expect(episodes[0]?.evidence.map(({ role }) => role).sort()).toEqual([
      'gate-log',
      'solution',
      'subject-log',
      'workspace-diff',
    ])
    expect((await proofboard('check', join(out, 'result.json'))).code).toBe(0)
    expect((await proofboard('check', out)).stdout).toContain('every seal intact')
  })

  it('counts no episode of another plan that was copied into its folder', async () => {
    const runs = ['nop', 'reference'].map((name) => ({ name, out: join(root, name) }))
    const command = ['run', '--suite', 'typescript', '--tasks', 'lru-cache']
    const runAll = runs.map(({ name, out }) => [...command, '--subject', name, '--out', out])
    const [nop = []] = runAll
    for (const args of runAll) expect((await proofboard(...args)).code).toBe(0)
    const before = readFileSync(join(root, 'nop', 'result.json'), 'utf8')
    cpSync(join(root, 'reference', 'episodes'), join(root, 'nop', 'episodes'), { recursive: true })
    const { code, stderr } = await proofboard(...nop)
    expect([code, stderr]).toEqual([1, expect.stringContaining('belongs to another plan')])
    expect(readFileSync(join(root, 'nop', 'result.json'), 'utf8')).toBe(before)
  })

  it('splits a plan into shards that together are the plan', async () => {
    const plan = join(root, 'plan.json')
    await proofboard(
      'plan',
      '--suite',
      'typescript',
      '--subject',
      'nop',
      '--tasks',
      'lru-cache,rate-limiter,glob-matcher',
      '--out',
      plan,
    )
    const shards = await Promise.all(
      [1, 2].map((index) =>
        proofboard(
          'run',
          '--plan',
          plan,
          '--shard',
          `${index}/2`,
          '--out',
          join(root, `s${index}`),
          '--json',
        ),
      ),
    )
    expect(shards.map(({ stdout }) => lastJson(stdout).planned)).toEqual([2, 1])
    const names = [1, 2].flatMap((index) =>
      bundleIn(join(root, `s${index}`)).episodes.map(({ taskId }) => taskId),
    )
    expect(names.sort()).toEqual(['glob-matcher', 'lru-cache', 'rate-limiter'])
    const again = ['run', '--plan', plan, '--shard', '2/2', '--out', join(root, 's1')]
    const { code, stderr } = await proofboard(...again)
    expect([code, stderr]).toEqual([1, expect.stringContaining('belongs to another shard')])
    expect(bundleIn(join(root, 's1')).shard).toEqual({ index: 1, count: 2 })
  })

  it('goes on after kill -9: nothing lost, nothing twice, the attempt cut short stored as void', {
    tags: 'night',
  }, async () => {
    const out = join(root, 'out')
    const command = 'sleep 0.4'
    const args = [
      'run',
      '--suite',
      'typescript',
      '--command',
      command,
      '--name',
      'sleeper',
      '--tasks',
      'lru-cache,rate-limiter',
      '--repetitions',
      '2',
      '--run-id',
      'run_killedhere',
      '--out',
      out,
      // If the subject is the runner's own user, a killed runner would count against it.
      ...(allocatesUsers() ? ['--isolation', 'local'] : []),
      '--json',
    ]
    const first = start(args)
    await pollUntil(() => sealedIn(out) >= 1)
    await sleep(150)
    first.child.kill('SIGKILL')
    await first.ended
    await pollUntil(
      () =>
        listProcesses().every((one) => !one.environment.includes('PROOFBOARD_RUN=run_killedhere')),
      5000,
    )
    const { code, stdout } = await proofboard(...args)
    expect(code).toBe(0)
    expect(lastJson(stdout)).toMatchObject({ planned: 4, sealed: 4, void: 0 })
    const { episodes } = bundleIn(out)
    const counted = episodes.filter(({ outcome }) => outcome.status !== 'void')
    expect(new Set(counted.map(({ taskId, repetition }) => `${taskId}/${repetition}`)).size).toBe(4)
    expect(counted).toHaveLength(4)
    const voids = episodes.filter(({ outcome }) => outcome.status === 'void')
    expect(voids.map(({ outcome }) => ('fault' in outcome ? outcome.fault : ''))).toEqual([
      'infrastructure',
    ])
    expect(counted.find(({ attempt }) => attempt === 2)?.previousAttempt?.episodeId).toBe(
      voids[0]?.episodeId,
    )
  })

  // In faster runs, the worker's tests cover this.
  it('stops when its stdin closes, and leaves no process and no folder', {
    tags: 'night',
  }, async () => {
    const out = join(root, 'out')
    const temporary = join(root, 'tmp')
    mkdirSync(temporary)
    // The subject may be another user, who needs access to its own folder.
    for (const path of [root, temporary]) chmodSync(path, 0o711)
    const command = ['--suite', 'typescript', '--tasks', 'lru-cache', '--command', 'sleep 30']
    const places = ['--run-id', 'run_stoppedhere', '--out', out]
    const args = ['run', ...command, ...places, '--events', '--stop-with-stdin']
    const run = start(args, { TMPDIR: temporary })
    await pollUntil(() =>
      listProcesses().some((one) => one.environment.includes('PROOFBOARD_RUN=run_stoppedhere')),
    )
    expect(readdirSync(temporary)).not.toEqual([])
    run.child.stdin?.end()
    expect((await run.ended).code).toBe(130)
    expect(bundleIn(out).episodes.map(({ outcome }) => outcome.status)).toEqual(['cancelled'])
    await pollUntil(() => readdirSync(temporary).length === 0)
  })

  it.each(SUBJECTS.slice(0, 2))(
    'a subject that %s gives an outcome',
    async (_, command, ...ends) => {
      expect(await endOf(root, command)).toEqual({ ends, left: [] })
    },
  )
})

function sealedIn(out: string): number {
  const folder = join(out, 'episodes')
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true }).filter((path) =>
    String(path).endsWith('episode.json'),
  ).length
}
