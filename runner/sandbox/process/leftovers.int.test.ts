import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lastJson, pollUntil, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { clearOutside } from '../../engine/close-interrupted.ts'
import { RunFolder } from '../../engine/run-folder.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  mkdirSync(join(root, 'tmp'))
  // The subject may be another user, which has to enter its own folder.
  for (const path of [root, join(root, 'tmp')]) chmodSync(path, 0o711)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Pids whose arguments contain `sign` and the test's own folder. */
function find(sign: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const read = (file: string) => readFileSync(`/proc/${name}/${file}`, 'latin1')
      try {
        return (
          read('cmdline').includes(sign) && `${read('cmdline')}${read('environ')}`.includes(root)
        )
      } catch {
        return false
      }
    })
    .map(Number)
}

const args = (command: string) => {
  const work = ['--command', command, '--tasks', 'lru-cache', '--run-id', 'run_leftovers1']
  return [
    'run',
    '--suite',
    'typescript',
    '--isolation',
    'local',
    ...work,
    '--out',
    join(root, 'out'),
    '--json',
  ]
}
const start = (command: string) =>
  startProofboard(join(root, 'data'), args(command), { TMPDIR: join(root, 'tmp') })

/** Matches the sleeping process itself in /proc, not processes that mention it. */
const SLEEPER = ['sleep', '8642'].join('\0')
const SLOW = `sh -c 'sleep 8642'; sleep 0; exit 0`

// The faster run-plan.int.test.ts kills a runner, and its guard cleans up.
it('starts another guard for one that is killed, and that one cleans up', {
  tags: 'night',
}, async () => {
  const run = start(SLOW)
  await pollUntil(() => find(SLEEPER).length > 0)
  const [first] = find('proofboard-guard')
  process.kill(first!, 'SIGKILL')
  await pollUntil(() => find('proofboard-guard').some((pid) => pid !== first))
  run.child.kill('SIGKILL')
  await run.ended
  await pollUntil(() => find(SLEEPER).length === 0 && readdirSync(join(root, 'tmp')).length === 0)
})

it('clears away what a runner and its guard, killed together, left behind', {
  tags: 'night',
}, async () => {
  const run = start(SLOW)
  await pollUntil(() => find(SLEEPER).length > 0)
  run.child.kill('SIGSTOP') // so that it cannot start another guard in between
  for (const pid of find('proofboard-guard')) process.kill(pid, 'SIGKILL')
  run.child.kill('SIGKILL')
  await run.ended
  expect(find(SLEEPER)).not.toEqual([])
  expect(readdirSync(join(root, 'tmp'))).not.toEqual([])
  const draft = join(root, 'out/episodes/lru-cache/r1-a1/episode.json.1234.tmp')
  writeFileSync(draft, '{"half":')
  const leftovers = find(SLEEPER)
  const again = start(SLOW)
  await pollUntil(() => leftovers.every((pid) => !find(SLEEPER).includes(pid)))
  await pollUntil(() => find(SLEEPER).length > 0)
  expect(existsSync(draft)).toBe(false)
  again.child.kill('SIGTERM')
  expect(lastJson((await again.ended).stdout)).toMatchObject({ planned: 1, cancelled: 1 })
  await pollUntil(() => find(SLEEPER).length === 0 && readdirSync(join(root, 'tmp')).length === 0)
  expect(existsSync(join(root, 'out/outside.json'))).toBe(false)
})

it('removes no folder that a changed note names', async () => {
  const foreign = join(root, 'proofboard-notours')
  mkdirSync(foreign)
  const folder = new RunFolder(join(root, 'out'))
  mkdirSync(folder.episodesPath, { recursive: true })
  writeFileSync(
    folder.outsidePath,
    JSON.stringify({ mark: 'run_leftovers2-1', temporary: foreign }),
  )
  await clearOutside(folder)
  expect(existsSync(foreign)).toBe(true)
  expect(existsSync(folder.outsidePath)).toBe(false)
})
