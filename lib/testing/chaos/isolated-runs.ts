import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Episode, parseBundle } from '#lib/domain/record/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import { proofboardHere } from '../factories/command-here.ts'
import { lastJson, pollUntil, startProofboard } from '../factories/proofboard-command.ts'
import { findProcesses, uniqueSleep } from './sandboxed-attempt.ts'

const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
const TASK = join(ROOT, 'exercises', 'typescript', 'lru-cache')

/** Defines tests of `proofboard run` at one level; call it inside a `describe`. */
export function describeRuns(
  level: Settings['isolation'],
  containers: () => string[] = () => [],
): void {
  let root: string
  let temporary: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
    temporary = join(root, 'tmp')
    mkdirSync(temporary)
    // The subject may be another user, which has to enter its own folder.
    for (const path of [root, temporary]) chmodSync(path, 0o711)
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  /** Parts of a run of a command: data folder, arguments, environment. */
  const asked = (command: string) => {
    const options = ['--suite', 'typescript', '--tasks', 'lru-cache', '--isolation', level]
    const args = ['run', ...options, '--command', command, '--out', join(root, 'out'), '--json']
    return [join(root, 'data'), args, { TMPDIR: temporary }] as const
  }
  const nothingIsLeft = (nap: string) =>
    findProcesses(nap).length === 0 &&
    containers().length === 0 &&
    readdirSync(temporary).length === 0

  it('solves a task end to end and says in the envelope what stood around the agent', async () => {
    const solution = readFileSync(join(TASK, '.meta', 'honest', 'author-a.ts')).toString('base64')
    const { code, stdout, stderr } = await proofboardHere(
      ...asked(`test -s "$PROOFBOARD_PROMPT_FILE" && echo ${solution} | base64 -d > lru-cache.ts`),
    )
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(lastJson(stdout)).toMatchObject({ planned: 1, solved: 1 })
    const { subject, environment, outcome } = onlyEpisode(root)
    expect(outcome.status).toBe('solved')
    expect(subject.settings.isolation).toBe(level)
    expect(environment.isolation).toBe(level)
    expect(environment.containerImageDigest !== null).toBe(level === 'docker')
    if (level !== 'local') expect(environment.libraries[level]).toMatch(/^\d+\./)
    expect(nothingIsLeft('no such words')).toBe(true)
  })

  if (level !== 'local')
    it('is out of budget when it forks without end', { tags: 'night' }, async () => {
      const nap = uniqueSleep()
      await proofboardHere(
        // No process may fail to fork, or exit, before a busy machine checks the limit.
        ...asked(`bomb() { while :; do sleep ${nap} & bomb & done; }; bomb & exec sleep ${nap}`),
      )
      expect(onlyEpisode(root).outcome).toMatchObject({
        status: 'out-of-budget',
        budget: 'processes',
      })
      expect(nothingIsLeft(nap)).toBe(true)
    })

  // The faster run-plan.int.test.ts kills a runner too.
  it('leaves no process, container or folder after kill -9 of the runner', {
    tags: 'night',
  }, async () => {
    const nap = uniqueSleep()
    // At level local, whose entries are never ranked, a process that also clears its environment cannot be found.
    const cleared = level === 'local' ? '' : 'env -i'
    const run = startProofboard(
      ...asked(
        `(cd /; setsid ${cleared} sh -c 'sleep ${nap} & exec sleep ${nap}' >/dev/null 2>&1 &); sleep ${nap}`,
      ),
    )
    await pollUntil(() => findProcesses(nap).length >= 3)
    run.child.kill('SIGKILL')
    await run.ended
    await pollUntil(() => nothingIsLeft(nap))
    expect(existsSync(join(root, 'out', 'result.json'))).toBe(false)
  })
}

function onlyEpisode(root: string): Episode {
  const text = readFileSync(join(root, 'out', 'result.json'), 'utf8')
  const parsed = parseBundle(JSON.parse(text))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems.slice(0, 3)))
  const [episode] = parsed.value.episodes
  if (!episode) throw new Error('the run sealed no episode')
  return episode
}
