import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { parseExecutors, remoteManifest } from '#lib/domain/executors/index.ts'
import { samplePlan } from '#lib/testing/factories/samples.ts'
import { EngineFailure } from './engine.ts'
import { kubernetesEngine } from './kubernetes.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-kubeconfig-'))
const requested: (string | undefined)[] = []
const server = createServer(({ headers }: IncomingMessage, response) => {
  requested.push(headers.authorization)
  response.writeHead(404).end('{}')
})
afterAll(() => {
  server.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Creates an engine with a kubeconfig for this user, on a server without jobs. */
async function engineOf(user: Record<string, string>) {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  const kubeconfig = join(dir, 'config')
  const file = {
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'u', user }],
  }
  writeFileSync(kubeconfig, JSON.stringify(file))
  const parsed = parseExecutors({ schemaVersion: 1, kubernetes: { kubeconfig, image: 'a:1' } })
  if (!parsed.ok || !parsed.value.kubernetes) throw new Error('the settings are wrong')
  const manifest = remoteManifest(samplePlan(), {
    runId: 'run_abcd1234',
    shards: 1,
    url: 'https://board.example',
    launch: 1,
  })
  return kubernetesEngine(manifest, parsed.value.kubernetes)
}

it('finds files that a kubeconfig names from its own folder', async () => {
  mkdirSync(join(dir, 'keys'))
  writeFileSync(join(dir, 'keys', 'token'), 'secret\n')
  const engine = await engineOf({ tokenFile: 'keys/token' })
  expect(await engine.find()).toBeNull()
  expect(requested).toEqual(['Bearer secret'])
})

it.each([{ tokenFile: 'gone' }, { 'client-certificate': 'gone', 'client-key': 'gone' }])(
  'says in one sentence which file of %o cannot be read',
  async (user) => {
    const failure = await (await engineOf(user)).find().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(EngineFailure)
    expect(failure).toMatchObject({ isFinal: true })
    expect(String(failure)).toContain(`${join(dir, 'gone')} cannot be read: ENOENT`)
  },
)

it('a token that cannot be sent is a failure of the engine too', async () => {
  const failure = await (await engineOf({ token: 'two\nlines' })).find().catch((error) => error)
  expect(failure).toBeInstanceOf(EngineFailure)
})
