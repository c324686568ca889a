import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Episode, parseBundle } from '#lib/domain/record/index.ts'
import { ASKS_ONCE, writeFakeAgent } from '#lib/testing/factories/fake-agent.ts'
import { startProofboard } from '#lib/testing/factories/proofboard-command.ts'

let root: string
let place: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  place = join(root, 'program')
  mkdirSync(place)
  mkdirSync(join(root, 'open'))
  chmodSync(root, 0o755) // the agent may be another user
  chmodSync(join(root, 'open'), 0o777)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** An agent that asks no model measures nothing, so each asks once. */
const run = (script: string, ...more: string[]) =>
  startProofboard(join(root, 'data'), [
    ...['run', '--suite', 'typescript', '--tasks', 'lru-cache', '--out', join(root, 'out')],
    ...['--agent-file', writeFakeAgent(place, `${ASKS_ONCE}\n${script}`), '--provider', 'scripted'],
    ...['--model', 'scripted-1', '--script', 'solve', ...more],
  ])

function sealed(): Episode {
  const parsed = parseBundle(JSON.parse(readFileSync(join(root, 'out', 'result.json'), 'utf8')))
  const [episode] = parsed.ok ? parsed.value.episodes : []
  if (!episode) throw new Error('nothing was sealed')
  return episode
}

describe('an agent that', () => {
  it('exits 0 without changing anything has not solved the task', async () => {
    const { code } = await run('exit 0').ended
    const { outcome, failureCategory, agentSuccess, effort } = sealed()
    expect([code, outcome.status, failureCategory]).toEqual([0, 'unsolved', 'no-change'])
    expect([agentSuccess, effort.steps]).toEqual([true, 1])
  })

  it('prints a gigabyte fills neither memory nor disk, and the evidence says what was dropped', async () => {
    const { child, ended } = run('head -c 1073741824 /dev/zero')
    const peak = await watchPeak(child.pid as number, ended)
    expect((await ended).code).toBe(0)
    const { outcome, evidence } = sealed()
    expect(outcome.status).toBe('unsolved')
    const log = evidence.find(({ role }) => role === 'subject-log')
    expect(log?.sizeBytes).toBeLessThan(17 << 20)
    expect((log?.sizeBytes ?? 0) + (log?.droppedBytes ?? 0)).toBeGreaterThan(1 << 30)
    // The verifier's compiler is most of it: a runner that kept the output would need a gigabyte more.
    expect(peak).toBeLessThan(900 << 20)
    expect(peak).toBeGreaterThan(0)
  })

  const outside = () => join(root, 'open', 'outside.txt')
  const WRITES = 'echo mine > "$OUTSIDE" 2>/dev/null; echo "wrote: $?"'
  const writing = () => WRITES.replace('$OUTSIDE', outside())

  it('may write outside of its workspace at level local, as far as its user may; the envelope says so', async () => {
    await run(writing(), '--isolation', 'local').ended
    expect(existsSync(outside())).toBe(true)
    const { outcome, environment } = sealed()
    expect([outcome.status, environment.isolation]).toEqual(['unsolved', 'local'])
  })

  it('writes outside of its workspace inside bubblewrap cannot', {
    tags: 'bubblewrap',
  }, async () => {
    await run(writing(), '--isolation', 'bubblewrap').ended
    expect(existsSync(outside())).toBe(false)
    const { outcome, environment, subject } = sealed()
    expect([outcome.status, environment.isolation]).toEqual(['unsolved', 'bubblewrap'])
    expect(subject.name).toBe('echo')
    const log = join(root, 'out', 'episodes', 'lru-cache', 'r1-a1', 'subject.log')
    expect(readFileSync(log, 'utf8')).toMatch(/wrote: [1-9]/)
  })
})

/** Returns the peak memory (bytes) of the process, as the kernel counts it. */
async function watchPeak(pid: number, ended: Promise<unknown>): Promise<number> {
  let peak = 0
  let running = true
  const end = ended.then(() => {
    running = false
  })
  while (running) {
    const status = existsSync(`/proc/${pid}/status`) ? readStatus(pid) : ''
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024)
    await Promise.race([end, sleep(50)])
  }
  return peak
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1')
  } catch {
    return ''
  }
}
