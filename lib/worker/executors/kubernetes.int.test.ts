import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { database } from '#lib/db/database.ts'
import { findRemoteRun } from '#lib/db/remote-run-store.ts'
import { parseExecutors } from '#lib/domain/executors/index.ts'
import { getMachines } from '#lib/server/remote/machines.ts'
import {
  type RemoteTest,
  startRemoteTest,
  untilRunning,
  waitingAgent,
} from '#lib/testing/cases/remote-runs.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import {
  type KubernetesStandIn,
  startKubernetes,
} from '#lib/testing/factories/kubernetes-stand-in.ts'
import { waitUntilTrue } from '#lib/testing/factories/real-queue.ts'
import { kubernetesEngine } from './kubernetes.ts'

let test: RemoteTest
let kubernetes: KubernetesStandIn

beforeAll(async () => {
  test = await startRemoteTest()
})
afterAll(() => test.close())
beforeEach(async () => {
  kubernetes = await startKubernetes({ prepare: (folder) => test.layImage(join(folder, 'data')) })
  test.configure({ kubernetes: settings() })
})
afterEach(() => kubernetes.close())

function settings() {
  const kubeconfig = join(test.dir, 'kubeconfig')
  const file = {
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: kubernetes.url } }],
    users: [{ name: 'u', user: { token: kubernetes.token } }],
  }
  writeFileSync(kubeconfig, JSON.stringify(file))
  return { kubeconfig, image: 'registry.example/proofboard:1', shards: 2, poll: 0.2 }
}

const messageText = () =>
  [...kubernetes.jobs.values()].flatMap(({ pods }) => pods.map((pod) => pod.said)).join('\n')

async function expectNoToken(runId: string): Promise<void> {
  expect(kubernetes.secrets.size).toBe(0)
  expect((await findRemoteRun(database(), runId))?.tokenRevokedAt).not.toBeNull()
  expect(messageText()).not.toMatch(/pbr_/)
}

describe('a plan as an Indexed Job', () => {
  it('is run by a pod, whose episodes are stored; no token stays', async () => {
    test.configure({ kubernetes: { ...settings(), shards: 1 } })
    const { runId, ending } = await test.start('kubernetes', ['--subject', 'nop'])
    expect(await ending, messageText()).toMatchObject({ status: 'done', reason: null })
    expect(await test.episodes(runId)).toEqual([
      ['lru-cache', 1, 'unsolved'],
      ['rate-limiter', 1, 'unsolved'],
    ])
    expect((await getMachines(runId))?.machines).toMatchObject([
      { number: 1, state: 'done', tries: 1, sealed: 2, planned: 2, lost: 0 },
    ])
    await expectNoToken(runId)
  })

  // At level local, only the agent of another user is certain not to have killed the pod itself.
  it('a killed pod is tried again: what it began is void, nothing is doubled', {
    tags: ['night', 'root'],
    timeout: 300_000,
  }, async () => {
    const sign = join(test.signs, 'go')
    const { runId, ending } = await test.start('kubernetes', waitingAgent(sign))
    await untilRunning(runId)
    kubernetes.kill(0)
    const isTried = async () => (await findRemoteRun(database(), runId))?.parts[0]?.tries === 2
    await waitUntilTrue('the shard is tried again', isTried, 60_000)
    writeFileSync(sign, '')
    expect(await ending, messageText()).toMatchObject({ status: 'done', reason: null })
    expect(await test.episodes(runId)).toEqual([
      ['lru-cache', 1, 'void'],
      ['lru-cache', 2, 'unsolved'],
      ['rate-limiter', 1, 'unsolved'],
    ])
    expect((await getMachines(runId))?.machines).toMatchObject([
      { number: 1, state: 'done', tries: 2, sealed: 1, planned: 1, lost: 0 },
      { number: 2, state: 'done', tries: 1, sealed: 1, planned: 1, lost: 0 },
    ])
    await expectNoToken(runId)
    const stored = await database().episode.findMany({ where: { runId } })
    expect(stored.filter(({ directory }) => directory !== null).length).toBeGreaterThanOrEqual(2)
  })

  it('a run that is cancelled ends its pods, and what they stored stays', {
    tags: 'night',
    timeout: 300_000,
  }, async () => {
    const { runId, ending, cancel } = await test.start(
      'kubernetes',
      waitingAgent(join(test.signs, 'never')),
    )
    await untilRunning(runId)
    cancel()
    expect(await ending, messageText()).toMatchObject({ status: 'cancelled' })
    const states = (await getMachines(runId))?.machines.map(({ state }) => state)
    expect(states).toEqual(['cancelled', 'cancelled'])
    expect((await test.episodes(runId)).every(([, , status]) => status === 'cancelled')).toBe(true)
    expect(
      [...kubernetes.jobs.values()].flatMap(({ pods }) => pods).every(({ child }) => !child),
    ).toBe(true)
  })
})

describe('what an engine refuses, in one sentence', { tags: 'night' }, () => {
  function engine() {
    const parsed = parseExecutors({ schemaVersion: 1, kubernetes: settings() })
    if (!parsed.ok || !parsed.value.kubernetes) throw new Error('not configured')
    const manifest = {
      runId: 'run_abcd1234',
      planDigest: 'x',
      shards: 2,
      launch: 1,
      url: test.url,
      title: 'x',
    }
    return kubernetesEngine(manifest, parsed.value.kubernetes)
  }
  const fault = (status: number, text: string) =>
    kubernetes.faults.push({ path: /^GET .*jobs/, status, text })

  it.each<[string, number, string, string]>([
    ['no JSON', 200, '<html>', 'Kubernetes gave an answer that makes no sense: '],
    [
      'another shape',
      200,
      '{"metadata":{"uid":7}}',
      'Kubernetes gave an answer that makes no sense: metadata.uid',
    ],
    [
      'no rights',
      403,
      '{"message":"jobs is forbidden"}',
      'Kubernetes answered 403: jobs is forbidden',
    ],
  ])('%s', async (_, status, text, message) => {
    fault(status, text)
    await expect(engine().find()).rejects.toThrow(message)
  })

  it('indexes that are none', async () => {
    fault(200, '{"metadata":{"uid":"u"},"status":{"completedIndexes":"1-x"}}')
    await expect(engine().look('x')).rejects.toThrow('makes no sense: indexes 1-x')
  })

  it('a run whose engine refuses it fails with that sentence, and starts nothing', async () => {
    kubernetes.faults.push({
      path: /^POST .*jobs/,
      status: 403,
      text: '{"message":"quota exceeded"}',
    })
    const { runId, ending } = await test.start('kubernetes', ['--subject', 'reference'])
    expect(await ending).toMatchObject({
      status: 'failed',
      reason: 'Kubernetes answered 403: quota exceeded',
    })
    expect(kubernetes.jobs.size).toBe(0)
    expect((await findRemoteRun(database(), runId))?.tokenRevokedAt).not.toBeNull()
  })

  it('an engine that can no longer be asked: its shards are closed, its pods ended, no token holds', async () => {
    const sign = join(test.signs, 'unseen')
    const { runId, ending } = await test.start('kubernetes', waitingAgent(sign))
    await untilRunning(runId)
    const blind = { path: /^GET /, status: 403, text: '{"message":"jobs is forbidden"}' }
    // As many failures as are tolerated in a row, then a response that ends the run.
    kubernetes.faults.push(...Array.from({ length: 60 }, () => blind))
    expect(await ending, messageText()).toMatchObject({
      status: 'failed',
      reason: 'Kubernetes answered 403: jobs is forbidden',
    })
    const stored = await findRemoteRun(database(), runId)
    expect(stored).toMatchObject({ engineId: null, launch: 2 })
    expect(stored?.tokenRevokedAt).not.toBeNull()
    expect(stored?.parts.map(({ state }) => state)).toEqual(['given-up', 'given-up'])
    const pods = () => [...kubernetes.jobs.values()].flatMap((job) => job.pods)
    await waitUntilTrue('no pod runs', async () => pods().every(({ child }) => !child), 60_000)
    expect(kubernetes.secrets.size).toBe(0)
  })

  it('an engine that is not configured, or none at all', async () => {
    const plan = join(test.dir, 'p.json')
    writeFileSync(plan, '{}')
    const launch = async (on: string) =>
      (await proofboardHere(test.dir, ['launch', '--on', on, '--plan', plan])).stderr.trim()
    expect(await launch('slurm')).toBe(
      `slurm is not configured: add it to ${join(test.dir, 'executors.yaml')}. Configured: kubernetes.`,
    )
    expect(await launch('nomad')).toBe('"nomad" is not an engine: use kubernetes, slurm, github')
    test.configure({ kubernetes: { ...settings(), retries: 99 } })
    expect(await launch('kubernetes')).toContain('executors.yaml: kubernetes.retries')
  })
})
