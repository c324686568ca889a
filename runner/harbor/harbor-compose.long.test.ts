import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE_IMAGE, startTestDocker, type TestDocker } from '#lib/testing/chaos/test-docker.ts'
import { lastJson, pollUntil, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { lacking } from '#lib/testing/needs.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import { writeHarborTask } from './harbor-task.fixture.ts'
import { openPlace, type PlaceSettings } from './open-place.ts'
import type { HarborPlace } from './place.ts'
import { prepareImages } from './prepare-images.ts'
import { readHarborTask } from './read-harbor-task.ts'
import { COMPOSE_FILES } from './services/compose-task.fixture.ts'
import { findCompose } from './services/find-compose.ts'

const compose = await findCompose()
const started = compose.ok ? await startTestDocker() : compose.refusal
const missing = typeof started === 'string' ? started : null

describe('tasks in Harbor’s format with services', {
  timeout: 600_000,
  ...lacking(missing && `docker compose: ${missing}`),
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

  const write = (more: Record<string, string | null> = {}) =>
    writeHarborTask(mkdtempSync(join(root, 'task-')), { ...COMPOSE_FILES, ...more })

  /** Runs the solution beside the services, then `look`. */
  async function afterSolving<T>(
    more: Record<string, string | null>,
    look: (place: HarborPlace, message: string) => Promise<T>,
  ): Promise<T> {
    const task = readHarborTask(write(more))
    const place = await openPlace(task, settings, { requested: null, name: null })
    const log = new CappedLog(join(place.folder, 'solve.log'), 1 << 20)
    try {
      await place.solve(log)
      log.flush()
      return await look(place, readFileSync(log.path, 'utf8'))
    } finally {
      log.close()
      await place.leave()
    }
  }

  /** Returns the addresses of this machine whose ports a service reaches. */
  async function reachHost(id: string): Promise<string> {
    const server = createServer().listen(0, '0.0.0.0')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const gateways = engine.docker(
      ...['inspect', '--format', '{{range .NetworkSettings.Networks}}{{.Gateway}} {{end}}', id],
    )
    const own = Object.values(networkInterfaces()).flatMap((list = []) =>
      list.flatMap(({ address, family }) => (family === 'IPv4' ? address : [])),
    )
    const addresses = [...gateways.trim().split(' '), ...own].filter((one) => one !== '127.0.0.1')
    expect(addresses.length).toBeGreaterThan(1)
    const ask = `for at in ${addresses.join(' ')}; do timeout 3 bash -c "echo >/dev/tcp/$at/${port}" && echo $at; done; true`
    const reached = engine.docker('exec', id, 'bash', '-c', `(${ask}) 2>/dev/null`)
    server.close()
    return reached
  }

  /** Lists what services left on the engine: containers, networks, volumes. */
  const left = () => [
    engine.containers(),
    engine.docker('network', 'ls', '--quiet', '--filter', 'name=proofboard'),
    engine.docker('volume', 'ls', '--quiet'),
  ]
  const NOTHING = [[], '', '']

  it('starts them in order, closed to the outside, and removes all of them', async () => {
    await prepareImages([readHarborTask(write())], { needsNode: false, report: () => {} })
    const inspect = await afterSolving({}, async (place, message) => {
      expect(message.split('\n')).toEqual([
        'hello',
        'seeded from a file',
        'Read-only file system',
        'named',
        '',
      ])
      const { txt, log } = await place.verify(await place.take([]))
      expect(txt, log).toBe('1\n')
      const [id = ''] = engine
        .docker('ps', '--quiet', '--filter', 'label=com.docker.compose.service=api')
        .split('\n')
      const [found] = JSON.parse(engine.docker('inspect', id))
      return { ...found, reached: await reachHost(id) }
    })
    expect(inspect.reached).toBe('')
    expect(inspect.HostConfig).toMatchObject({
      Memory: 256 * 2 ** 20,
      SecurityOpt: ['no-new-privileges'],
      Privileged: false,
      CapAdd: null,
    })
    expect(inspect.NetworkSettings.Ports?.['8080/tcp'] ?? null).toBeNull()
    expect(left()).toEqual(NOTHING)
  })

  it('gives a verifier of its own what was collected from a running service', async () => {
    const separate = {
      'task.toml': `artifacts = [{ source = "/saved/puts", service = "api" }, "/app/mine"]
[verifier]
environment_mode = "separate"
[[verifier.collect]]
service = "api"
command = "mkdir -p /saved && cp /var/puts /saved/puts"
[[verifier.collect]]
command = "echo of main > mine"
[[verifier.collect]]
service = "api"
command = "exit 3"
[environment]
allow_internet = false
[environment.env]
WORD = "HELLO"
`,
      'tests/test.sh': `#!/bin/bash
(getent hosts api || echo alone) | head -n 1
cat /app/mine /saved/puts
[ "$(cat /saved/puts)" = hello ]
echo $((1 - $?)) > /logs/verifier/reward.txt
`,
    }
    await afterSolving(separate, async (place) => {
      const work = await place.take([])
      const runs = [await place.verify(work), await place.verify(work)]
      for (const { txt, log } of runs) {
        expect(log.split('\n')).toEqual([
          expect.stringContaining('collecting from api failed: it ended with 3'),
          ...['alone', 'of main', 'hello', ''],
        ])
        expect(txt).toBe('1\n')
      }
      expect(work.changes.map(({ path }) => path)).toEqual([])
    })
    expect(left()).toEqual(NOTHING)
  })

  it('says which service is not ready, and stops the others', async () => {
    const file = COMPOSE_FILES['environment/docker-compose.yaml'] ?? ''
    const open = (from: string, to: string) =>
      afterSolving({ 'environment/docker-compose.yaml': file.replace(from, to) }, async () => {})
    await expect(open('> /shared/seed', '> /absent/seed')).rejects.toThrow(
      /^greet cannot be started: service seed ended with \d+ \(".*\/absent\/seed/,
    )
    await expect(open('exec 3<>', 'test -e /absent && exec 3<>')).rejects.toThrow(
      'greet cannot be started: service api is not healthy',
    )
    expect(left()).toEqual(NOTHING)
  })

  it('proves and runs a task from the command line, and leaves nothing of a run that was killed', async () => {
    const suite = mkdtempSync(join(root, 'suite-'))
    writeHarborTask(suite, COMPOSE_FILES)
    const proven = await startProofboard(data, ['suite', 'verify', suite, '--json']).ended
    expect(lastJson(proven.stdout), proven.stderr).toMatchObject({ referenceSolved: 1 })
    const ask = `exec 3<>/dev/tcp/api/8080; echo 'put hello' >&3; cat <&3`
    const run = (name: string, command: string) =>
      startProofboard(data, [
        ...['run', '--suite', suite, '--out', join(root, name), '--json'],
        ...['--isolation', 'docker', '--command', command],
      ])
    for (const [name, command, solved] of [
      ['solves', `bash -c "${ask}"`, 1],
      ['idle', 'true', 0],
    ] as const) {
      const { code, stdout, stderr } = await run(name, command).ended
      expect(code, stderr).toBe(0)
      expect(lastJson(stdout), stderr).toMatchObject({ solved })
    }
    expect(left()).toEqual(NOTHING)
    const killed = run('killed', 'sleep 1000')
    await pollUntil(() =>
      engine.docker('ps', '--no-trunc', '--format', '{{.Command}}').includes('sleep'),
    )
    killed.child.kill('SIGKILL')
    await killed.ended
    await pollUntil(() => JSON.stringify(left()) === JSON.stringify(NOTHING))
  })
})
