import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildNodeImage } from '#lib/testing/chaos/node-image.ts'
import { freePort, soakContainers } from '#lib/testing/chaos/soak/soak-containers.ts'
import { startTestDocker, type TestDocker } from '#lib/testing/chaos/test-docker.ts'
import { fillIn, readCompose } from '#lib/testing/factories/compose.ts'
import { postgresDatabase } from '#lib/testing/factories/postgres.ts'
import { lacking } from '#lib/testing/needs.ts'
import { startStandIn } from '#lib/testing/s3/stand-in.ts'
import { ROOT } from '../layout.mjs'
import { runCommand } from '../process.mjs'

const started = await startTestDocker()
const missing = typeof started === 'string' ? started : null

const TAG = 'proofboard-test'
/** Building downloads every package and builds the site, on a machine that may be busy. */
const BUILD_MS = 3_600_000

/** Minutes of kills; PROOFBOARD_TEST_MINUTES = another duration. */
const MINUTES = Number(process.env.PROOFBOARD_TEST_MINUTES ?? 10)

describe('the image of the server', {
  timeout: 900_000,
  ...lacking(missing && `docker: ${missing}`),
}, () => {
  const engine = started as TestDocker
  beforeAll(async () => {
    await engine.buildImage()
    const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    for (const [, base = ''] of dockerfile.matchAll(/^FROM (\S+)/gm))
      await buildNodeImage(engine, base)
    // The engine has no bridge network, so the build uses the network of this machine.
    const args = ['build', '--network=host', `--tag=${TAG}`, ROOT]
    const built = await runCommand('docker', args)
    expect(built.code, built.output.slice(-4000)).toBe(0)
  }, BUILD_MS)
  afterAll(engine.stop)

  it('is healthy, runs jobs as a plain user and stops in order', async () => {
    const id = engine.docker('run', '--detach', TAG).trim()
    const inspect = (format: string) => engine.docker('inspect', '--format', format, id).trim()
    const ask = (path: string) =>
      engine.docker(
        'exec',
        id,
        'node',
        '-e',
        `fetch('http://127.0.0.1:3000${path}').then(async (r) => console.log(r.status, await r.text()))`,
      )
    const state = () => inspect('{{.State.Health.Status}}')
    await expect.poll(state, { timeout: 300_000, interval: 2000 }).toBe('healthy')
    expect(engine.docker('exec', id, 'id', '-un').trim()).toBe('node')
    expect(engine.docker('exec', id, 'proofboard', 'accounts', 'setup-link')).toContain('http')
    expect(engine.docker('exec', id, 'proofboard', 'doctor')).toContain('bubblewrap')
    const rows = () => ask('/api/v1/leaderboard?suite=typescript')
    await expect.poll(rows, { timeout: 400_000, interval: 5000 }).toContain('"nop"')
    await runCommand('docker', ['stop', '--time', '60', id])
    expect(inspect('{{.State.ExitCode}} {{.State.OOMKilled}}')).toBe('0 false')
    engine.docker('rm', '--volumes', id)
  })

  it('is what compose.yaml starts: two web servers and three workers of one board', {
    tags: 'postgresql',
  }, async () => {
    const database = await postgresDatabase({ isEmpty: true })
    const store = await startStandIn()
    const ports = [await freePort(), await freePort()]
    const settings = { ...store.settings('', 'proofboard'), DATABASE_URL: database.url }
    const services = startServices(engine, { settings, ports })
    const read = (port: number) =>
      fetch(`http://127.0.0.1:${port}/api/v1/leaderboard?suite=typescript`).then(
        (response) => response.text(),
        String,
      )
    try {
      const rows = async () => Promise.all(ports.map(read))
      const both = ports.map(() => expect.stringContaining('"nop"'))
      await expect.poll(rows, { timeout: 600_000, interval: 5000 }).toEqual(both)
      expect(store.objects.size).toBeGreaterThan(0)
    } catch (error) {
      for (const id of services) process.stderr.write(readLogs(id))
      throw error
    } finally {
      engine.docker('rm', '--force', '--volumes', ...services)
      await store.close()
      await database.drop()
    }
  })

  it('loses nothing and stores nothing twice when containers are killed', {
    tags: ['night', 'postgresql'],
    timeout: MINUTES * 60_000 + 1_800_000,
  }, async () => {
    const problems = await soakContainers({
      minutes: MINUTES,
      seed: 7,
      start: (settings, ports, mounts) => startServices(engine, { settings, ports, mounts }),
    })
    expect(problems).toEqual([])
  })
})

type Started = {
  settings: Readonly<Record<string, string>>
  /** Ports of the web servers. */
  ports: readonly number[]
  mounts?: readonly string[]
}

/** Starts the services of compose.yaml, each as often as it says, with some variables replaced. Returns the ids. */
function startServices(engine: TestDocker, { settings, ports, mounts = [] }: Started): string[] {
  const { services } = readCompose()
  return Object.entries(services).flatMap(
    ([name, { build, deploy, environment, restart, volumes }]) => {
      const count = build === undefined ? 0 : (deploy?.replicas ?? 1)
      return Array.from({ length: count }, (_, at) => {
        // On the network of this machine names of services do not resolve, and all services share a host.
        const own = {
          ...settings,
          PORT: String(ports[at % ports.length]),
          PROOFBOARD_HOST_ID: `${name}-${at}`,
        }
        const variables = Object.entries({ ...fillIn(environment), ...own })
        return engine
          .docker(
            ...['run', '--detach', '--network=host', `--restart=${restart}`],
            ...variables.map(([variable, value]) => `--env=${variable}=${value}`),
            ...[...volumes, ...mounts].map((volume) => `--volume=${volume}`),
            TAG,
          )
          .trim()
      })
    },
  )
}

function readLogs(id: string): string {
  return execFileSync('docker', ['logs', '--tail', '40', id], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
