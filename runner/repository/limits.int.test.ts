import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { samplePlan } from '#lib/testing/factories/sample-record.ts'
import { refusePlanLimits } from '../engine/declared-limits.ts'
import { readRepositoryTask } from '../suites/read-repository-task.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import { judgeWork } from './judge-work.ts'
import { openJudging } from './open-judging.ts'
import { type BaseSettings, prepareBase } from './prepare-base.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
chmodSync(root, 0o755) // at `local` commands are another user
afterAll(() => rmSync(root, { recursive: true, force: true }))

let settings: BaseSettings
beforeAll(async () => {
  const temporary = join(root, 'tmp')
  mkdirSync(temporary)
  settings = {
    isolation: await openJudging(null),
    temporary,
    cache: join(root, 'cache'),
    runMark: 'proofboard-test',
    signal: new AbortController().signal,
  }
})

/** Loads a task with these lines in its `task.yaml`. */
function loadTask(lines: string): Promise<LoadedRepository> {
  const folder = join(mkdtempSync(join(root, 'suite-')), 'small')
  const files = {
    'task.yaml': `id: small\ntitle: Small\ncategory: bug\ndifficulty: easy\ninstruction: Do it.\nsource: { folder: repo }\n${lines}\n`,
    'repo/README.md': 'Small.\n',
    'tests/test.sh': 'echo "ok 1 - works"\necho 1..1\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return readRepositoryTask(folder)
}

const VERIFY = 'verify: { command: sh test.sh, report: { format: tap } }'
const WRITES = 'head -c 3000000 /dev/zero > big'
const STARTS = 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 5 & done; wait'
const ALLOCATES = `node -e "const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))"`

describe('a set-up that breaks a limit', () => {
  const prepare = async (command: string, limits: string) =>
    prepareBase(
      await loadTask(
        `setup: [${JSON.stringify(command)}]\nlimits: { setup: ${limits} }\n${VERIFY}`,
      ),
      settings,
    )

  it.each([
    ['disk', WRITES, '{ disk: 2MB }', 'wrote more than 2.0 MB: raise limits.setup.disk'],
    [
      'processes',
      STARTS,
      '{ processes: 5 }',
      'started more than 5 processes: raise limits.setup.processes',
    ],
    ['timeout', 'sleep 20', '{ timeout: 1 }', 'did not end within 1 s: raise limits.setup.timeout'],
    ['files', 'touch a b c', '{ files: 3 }', 'has more than 3 files: raise limits.setup.files'],
  ])(
    'is refused in one sentence with the field that raises it: %s',
    async (_, command, limits, sentence) => {
      await expect(prepare(command, limits)).rejects.toThrow(`${sentence} in task.yaml`)
    },
  )

  it('is refused in one sentence with the field that raises it: memory', {
    tags: 'bubblewrap',
  }, async () => {
    await expect(prepare(ALLOCATES, '{ memory: 400MB }')).rejects.toThrow(
      'ran out of memory (400.0 MB): raise limits.setup.memory in task.yaml',
    )
  })

  it('counts the memory that a process uses, and not what it reserves, as each isolate of node 24 does', {
    tags: 'bubblewrap',
  }, async () => {
    const reserves = 'node -e "globalThis.all = new ArrayBuffer(5e8)"'
    expect((await prepare(reserves, '{ memory: 200MB }')).entries).toHaveLength(1)
    const uses = 'node -e "globalThis.all = Buffer.alloc(5e8, 1); setTimeout(() => {}, 30000)"'
    await expect(prepare(uses, '{ memory: 200MB }')).rejects.toThrow('ran out of memory (200.0 MB)')
  })

  it('passes where the limit is raised', async () => {
    const { entries } = await prepare(WRITES, '{ disk: 4MB, files: 5 }')
    expect(entries.map(({ path }) => path)).toEqual(['README.md', 'big'])
  })
})

describe('the verifier’s limits', () => {
  const judge = async (command: string, limits: string) => {
    const verify = `verify: { command: ${JSON.stringify(command)}, report: { format: tap } }`
    const task = await loadTask(`setup: ["${WRITES}"]\nlimits: { verify: ${limits} }\n${verify}`)
    const base = await prepareBase(task, settings)
    const work = { changes: [], findings: [], problem: null }
    const { contract } = await judgeWork(task, base, work, settings)
    return contract.assertions.find(({ kind }) => kind === 'exit-code')?.observed
  }

  it('count what it adds to the repository, and are named where they end it', {
    tags: 'bubblewrap',
  }, async () => {
    expect(await judge('sh test.sh', '{ disk: 1MB }')).toBe('exit code 0')
    expect(await judge(`${WRITES}2 && sh test.sh`, '{ disk: 1MB }')).toBe(
      'wrote more than 1.0 MB: raise limits.verify.disk in task.yaml',
    )
    expect(await judge(ALLOCATES, '{ memory: 400MB }')).toMatch(
      /^exit code \d+; ran out of memory \(400\.0 MB\): raise limits\.verify\.memory in task\.yaml$/,
    )
  })
})

describe('declared memory', () => {
  it('is refused where a level or this machine cannot limit it', {
    tags: 'bubblewrap',
  }, async () => {
    const task = await loadTask(`limits: { setup: { memory: 900TB } }\n${VERIFY}`)
    await expect(prepareBase(task, settings)).rejects.toThrow(
      /^task small limits the memory of its set-up to 900\.0 TB, and this machine has .* GB: use a larger machine, or lower the limit$/,
    )
    const agent = await loadTask(`limits: { agent: { memory: 8GB } }\n${VERIFY}`)
    const plan = planFor(agent)
    expect(refusePlanLimits(plan, [agent], 'bubblewrap')).toBe(
      'task small limits the memory of the agent to 8.0 GB, and isolation local cannot limit memory: use bubblewrap or docker, or remove the limit',
    )
    const control = { ...plan, subject: { ...plan.subject, kind: 'control' as const } }
    expect(refusePlanLimits(control, [agent], 'bubblewrap')).toBeNull()
  })

  it('is read as a size, and anything else is one sentence', async () => {
    await expect(loadTask(`limits: { agent: { memory: 8 } }\n${VERIFY}`)).rejects.toThrow(
      'must be a size such as 500MB or 20GB',
    )
    await expect(loadTask(`limits: { agent: { memroy: 8GB } }\n${VERIFY}`)).rejects.toThrow(
      'memroy',
    )
  })
})

/** Returns a plan of an agent at level local, with the fields that limits need. */
function planFor({ task }: LoadedRepository): Parameters<typeof refusePlanLimits>[0] {
  const plan = samplePlan()
  const { taskId, digest, category } = task
  return {
    ...plan,
    tasks: [{ taskId, digest, category }],
    settings: { ...plan.settings, isolation: 'local' },
    subject: { ...plan.subject, kind: 'agent' },
  }
}
