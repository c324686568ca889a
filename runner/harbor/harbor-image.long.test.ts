import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE_IMAGE, startTestDocker, type TestDocker } from '#lib/testing/chaos/test-docker.ts'
import { serveImages } from '#lib/testing/factories/image-registry.ts'
import { withMuslTree } from '#lib/testing/factories/musl-image.ts'
import {
  lastJson,
  pollUntil,
  readMeasuredBundle,
  startProofboard,
} from '#lib/testing/factories/proofboard-command.ts'
import { lacking } from '#lib/testing/needs.ts'
import { LABEL } from '../sandbox/isolation/docker/docker-client.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import type { ProcessEnding } from '../sandbox/process/run-process.ts'
import type { CandidateResult } from '../suites/verify/verify-task.ts'
import { writeHarborTask } from './harbor-task.fixture.ts'
import { judgeHarbor } from './judge-harbor.ts'
import { openPlace, type PlaceSettings } from './open-place.ts'
import type { HarborPlace } from './place.ts'
import { prepareImages } from './prepare-images.ts'
import { proveHarbor } from './prove-harbor.ts'
import { readHarborTask } from './read-harbor-task.ts'

const started = await startTestDocker()
const missing = typeof started === 'string' ? started : null

/** Files outside of the working folder count, and this one is part of the image. */
const OF_IMAGE = {
  'environment/Dockerfile':
    'FROM debian:12\nWORKDIR /app\nCOPY word.txt .\nRUN mkdir ../data && echo old > ../data/list\n',
  'solution/solve.sh': `#!/bin/bash
tr A-Z a-z < word.txt > greet.txt
echo new >> /data/list
ls -d /tests 2>/dev/null
ls /solution
(sleep 5; while true; do echo 0 > /app/greet.txt; done) > /dev/null 2>&1 &
`,
  'tests/test.sh': `#!/bin/bash
ls -d /tests
ls /solution 2>/dev/null
ls /sys/class/net
cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null
[ "$(cat /app/greet.txt)" = "$WANTED" ] && [ "$(tail -n 1 /data/list)" = new ]
echo $((1 - $?)) > /logs/verifier/reward.txt
`,
}

describe('tasks in Harbor’s format, in their image', {
  timeout: 300_000,
  ...lacking(missing && `docker: ${missing}`),
}, () => {
  const engine = started as TestDocker
  const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  const data = join(root, 'data')
  let settings: PlaceSettings
  beforeAll(async () => {
    await engine.buildImage()
    engine.docker('tag', BASE_IMAGE, 'debian:12')
    const temporary = join(root, 'tmp')
    mkdirSync(temporary)
    settings = { temporary, runMark: 'proofboard-test', signal: new AbortController().signal }
  }, 1_200_000)
  afterAll(async () => {
    await engine.stop()
    rmSync(root, { recursive: true, force: true })
  })

  const fresh = (more: Record<string, string | null> = {}) =>
    readHarborTask(writeHarborTask(mkdtempSync(join(root, 'task-')), { ...OF_IMAGE, ...more }))

  async function prove(more: Record<string, string | null> = {}): Promise<CandidateResult[]> {
    const results: CandidateResult[] = []
    await proveHarbor([fresh(more)], {
      ...settings,
      concurrency: 1,
      runs: 1,
      data,
      onTask: (_, candidates) => results.push(...candidates),
    })
    return results
  }

  /** Runs the solution in its container, then `look`. */
  async function afterSolving<T>(
    more: Record<string, string | null>,
    look: (place: HarborPlace, ending: ProcessEnding, data: () => string) => Promise<T>,
  ): Promise<T> {
    const place = await openPlace(fresh(more), settings, { requested: null, name: null })
    const log = new CappedLog(join(place.folder, 'solve.log'), 1 << 20)
    try {
      const ending = await place.solve(log)
      log.flush()
      return await look(place, ending, () => readFileSync(log.path, 'utf8'))
    } finally {
      log.close()
      await place.leave()
    }
  }

  it('proves a task in containers that are limited, fresh for the verifier, and gone', async () => {
    const results = await prove()
    expect(results.map(({ candidate, solved, deviates }) => [candidate, solved, deviates])).toEqual(
      [
        ['nop', false, null],
        ['reference', true, null],
        ['attack/changed-tests', false, null],
      ],
    )
    await afterSolving({}, async (place, _, data) => {
      expect(data()).toBe('solve.sh\n')
      const { log } = await place.verify(await place.take([]))
      expect(log.split('\n')).toEqual(['/tests', 'lo', String(512 * 2 ** 20), ''])
    })
    expect(engine.containers()).toEqual([])
    // The base, the subject image, and the task's image.
    const tags = engine.docker('images', '--format', '{{.Repository}}').split('\n')
    expect(tags.filter((name) => name === 'proofboard-harbor')).toHaveLength(1)
    expect(tags).not.toContain('<none>')
  })

  it('keeps what was changed anywhere as evidence, and opens the network where it is asked for', async () => {
    const more = {
      'task.toml':
        '[agent]\nuser = "me"\n[environment]\nallow_internet = true\n[verifier]\nenv = { WANTED = "hello" }\n',
      'environment/Dockerfile': `${OF_IMAGE['environment/Dockerfile']}RUN useradd me && chown -R me /app /data\n`,
      'solution/solve.sh': `${OF_IMAGE['solution/solve.sh']}sleep 3\n`,
    }
    const solving = afterSolving(more, async (place) => {
      const work = await place.take([])
      const texts = work.changes.map(({ path, bytes }) => [path, bytes?.toString()])
      expect(texts).toEqual([
        ['app/greet.txt', expect.any(String)],
        ['data/list', 'old\nnew\n'],
      ])
      expect((await judgeHarbor(place, work)).reward).toBe(1)
    })
    const running = () =>
      engine.docker('ps', '--quiet', '--filter', `label=${LABEL.run}=${settings.runMark}`).trim()
    await pollUntil(() => running() !== '')
    const format = '{{.HostConfig.NetworkMode}} {{.Config.User}}'
    expect(engine.docker('inspect', '--format', format, running()).trim()).toBe('bridge me')
    await solving
  })

  it('pulls an image that is named, and says why one cannot be had', async () => {
    engine.docker('build', '--tag=lower:1', join(fresh().folder, 'environment'))
    const registry = await serveImages('example/lower', '1', (file) => {
      engine.docker('save', `--output=${file}`, 'lower:1')
    })
    const toml = (image: string) => ({
      'task.toml': `[verifier]\nenv = { WANTED = "hello" }\n[environment]\ndocker_image = "${image}"\n`,
      'environment/Dockerfile': null,
    })
    try {
      expect(await prove(toml(`${registry.address}/example/lower:1`))).toContainEqual(
        expect.objectContaining({ candidate: 'reference', solved: true }),
      )
      const [absent] = await prove(toml(`${registry.address}/example/other:1`))
      expect(absent?.deviates).toMatch(
        /^the image of greet could not be pulled \(.*example\/other:1\): .*manifest unknown/,
      )
      const pulled = `${registry.address}/example/lower:1`
      const format = '{{index .RepoDigests 0}}'
      const pinned = engine.docker('image', 'inspect', '--format', format, pulled)
      expect(pinned).toMatch(/\/example\/lower@sha256:[0-9a-f]{64}\n$/)
    } finally {
      registry.close()
    }
    const [broken] = await prove({ 'environment/Dockerfile': 'FROM debian:12\nRUN exit 3\n' })
    expect(broken?.deviates).toContain('could not be built from environment/Dockerfile')
  })

  it('gives a verifier in an environment of its own the artifacts alone, at their paths', async () => {
    const separate = {
      'task.toml': `artifacts = ["/app/greet.txt", { source = "/data/absent" }]
[verifier]
environment_mode = "separate"
env = { WANTED = "hello" }
[environment]
allow_internet = false
`,
      'environment/Dockerfile':
        'FROM debian:12\nWORKDIR /app\nCOPY word.txt .\nRUN useradd me && chown me /app\nUSER me\n',
      'tests/Dockerfile': 'FROM debian:12\nRUN useradd judge && mkdir /expected\nUSER judge\n',
      'solution/solve.sh': `#!/bin/bash
id -un
tr A-Z a-z < word.txt > greet.txt
echo kept > /logs/artifacts/notes.txt
echo 1 > /logs/verifier/reward.txt
echo secret > /tmp/other
ln -s /etc/shadow /logs/artifacts/link
`,
      'tests/test.sh': `#!/bin/bash
id -un
ls -d /expected /app/* /data /tmp/* /logs/verifier/* /logs/artifacts/* 2>/dev/null
cat /logs/artifacts/notes.txt
[ "$(cat /app/greet.txt)" = "$WANTED" ]
echo $((1 - $?)) > /logs/verifier/reward.txt
`,
    }
    const results = await prove(separate)
    expect(results.map(({ candidate, solved, deviates }) => [candidate, solved, deviates])).toEqual(
      [
        ['nop', false, null],
        ['reference', true, null],
        ['attack/changed-tests', false, null],
      ],
    )
    await afterSolving(separate, async (place, _, data) => {
      expect(data()).toBe('me\n')
      const { log } = await place.verify(await place.take([]))
      expect(log.split('\n')).toEqual([
        'judge',
        '/app/greet.txt',
        '/data',
        '/expected',
        '/logs/artifacts/link',
        '/logs/artifacts/notes.txt',
        'kept',
        '',
      ])
    })
    expect(engine.containers()).toEqual([])
    expect(engine.docker('images', '--filter', 'dangling=true', '--quiet')).toBe('')
  })

  it('tells a container that ran out of memory from one that never started', async () => {
    const eats = `x=$(head -c 200000000 /dev/zero | tr '\\0' x)\n`
    const small = { 'task.toml': '[environment]\nmemory_mb = 64\nallow_internet = false\n' }
    const scripts = {
      'solution/solve.sh': `#!/bin/bash\n${eats}`,
      'tests/test.sh': `#!/bin/bash\n${eats}`,
    }
    await afterSolving({ ...small, ...scripts }, async (place, ending) => {
      expect(ending).toMatchObject({ cause: 'exited', exitCode: 137, isOutOfMemory: true })
      const { contract } = await judgeHarbor(place, await place.take([]))
      expect(contract.assertions[1]?.observed).toBe('ended with 137 after it ran out of memory')
    })
    const noShell = { 'environment/Dockerfile': 'FROM debian:12\nWORKDIR /app\nRUN rm /bin/sh\n' }
    await expect(afterSolving(noShell, async () => {})).rejects.toThrow(
      'the image of greet has no shell that can be started',
    )
    expect(engine.containers()).toEqual([])
  })

  it('runs the scripts of an image with musl, and refuses an agent in it before the first attempt', async () => {
    withMuslTree((file) => engine.docker('import', file, 'musl:1'))
    const files = {
      ...OF_IMAGE,
      'environment/Dockerfile':
        'FROM musl:1\nRUN ["/bin/busybox", "--install", "-s", "/bin"]\nWORKDIR /app\nCOPY word.txt .\n',
      'solution/solve.sh': '#!/bin/sh\ntr A-Z a-z < word.txt > greet.txt\n',
      'tests/test.sh':
        '#!/bin/sh\n[ "$(cat /app/greet.txt)" = hello ]\necho $((1 - $?)) > /logs/verifier/reward.txt\n',
    }
    expect(await prove(files)).toContainEqual(
      expect.objectContaining({ candidate: 'reference', solved: true }),
    )
    const tasks = [fresh(files)]
    const tell = () => {}
    await prepareImages(tasks, { needsNode: false, report: tell })
    await expect(prepareImages(tasks, { needsNode: true, report: tell })).rejects.toMatchObject({
      problems: [
        { path: 'greet', message: expect.stringContaining('has musl as its C library (Alpine)') },
      ],
    })
  })

  it('runs controls and an agent from the command line, and leaves nothing of a run that was killed', {
    timeout: 900_000,
  }, async () => {
    const suite = mkdtempSync(join(root, 'suite-'))
    writeHarborTask(suite, OF_IMAGE)
    const proven = await startProofboard(data, ['suite', 'verify', suite, '--json']).ended
    expect(lastJson(proven.stdout), proven.stderr).toMatchObject({ referenceSolved: 1 })
    const solve = 'tr A-Z a-z < word.txt > greet.txt; echo new >> /data/list'
    const run = (name: string, ...subject: string[]) =>
      startProofboard(data, [
        ...['run', '--suite', suite, '--out', join(root, name), '--json'],
        ...subject,
      ])
    const outcomes: string[] = []
    for (const [name, ...subject] of [
      ['reference', '--subject', 'reference'],
      ['nop', '--subject', 'nop'],
      ['shell', '--isolation', 'docker', '--command', solve],
      ['idle', '--isolation', 'docker', '--command', 'true'],
      ['hungry', '--isolation', 'docker', '--command', 'tail /dev/zero'],
    ] as const) {
      const { code, stderr } = await run(name, ...subject).ended
      expect(code, stderr).toBe(0)
      const { episodes } = readMeasuredBundle(join(root, name, 'result.json'))
      for (const { outcome, failureCategory } of episodes)
        outcomes.push(`${name} ${outcome.status} ${failureCategory}`)
    }
    expect(outcomes).toEqual([
      'reference solved null',
      'nop unsolved no-change',
      'shell solved null',
      'idle unsolved no-change',
      'hungry subject-crashed crash',
    ])
    const killed = run('killed', '--isolation', 'docker', '--command', 'sleep 1000')
    await pollUntil(() => engine.docker('ps', '--format', '{{.Labels}}').includes('.run=run_'))
    killed.child.kill('SIGKILL')
    await killed.ended
    await pollUntil(() => engine.containers().length === 0)
  })
})
