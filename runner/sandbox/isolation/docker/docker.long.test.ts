import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeRuns } from '#lib/testing/chaos/isolated-runs.ts'
import { SandboxedAttempt } from '#lib/testing/chaos/sandboxed-attempt.ts'
import { BASE_IMAGE, startTestDocker, type TestDocker } from '#lib/testing/chaos/test-docker.ts'
import { testIsolation } from '#lib/testing/chaos/test-isolation.ts'
import { pollUntil, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { lacking } from '#lib/testing/needs.ts'
import { listProcesses } from '../../process/list-processes.ts'
import type { Isolation } from '../isolation.ts'
import { createDocker, runnerLabels } from './docker.ts'
import { LABEL, listImages } from './docker-client.ts'

const started = await startTestDocker()
const missing = typeof started === 'string' ? started : null

describe('docker', lacking(missing && `docker: ${missing}`), () => {
  const own = started as TestDocker
  let isolation: Isolation
  let image: string
  beforeAll(async () => {
    const data = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
    const { stdout } = await startProofboard(data, ['doctor', '--json']).ended
    rmSync(data, { recursive: true })
    expect(stdout).toContain('proofboard image build')
    image = await own.buildImage()
    isolation = createDocker()
    expect(await isolation.available()).toBeNull()
  }, 1_200_000)
  afterAll(own.stop)

  testIsolation(() => isolation)
  describeRuns('docker', own.containers)

  it('runs the image by digest, whatever its tag says', async () => {
    expect((await isolation.record()).containerImageDigest).toBe(image)
    expect(await listImages()).toMatchObject([{ digest: image, used: true }])
    const attempt = new SandboxedAttempt(isolation)
    own.docker('tag', BASE_IMAGE, 'proofboard-subject')
    try {
      const running = attempt.run('sleep 2')
      await pollUntil(() => own.containers().length > 0)
      expect(own.docker('inspect', '--format', '{{.Image}}', ...own.containers()).trim()).toBe(
        image,
      )
      await running
    } finally {
      own.docker('tag', image, 'proofboard-subject')
      attempt.remove()
    }
  })

  it('sweeps containers of runners that are gone with their images, and nobody else’s', async () => {
    const { [LABEL.host]: host = '' } = runnerLabels('run_test')
    const alive = listProcesses().find(({ pid }) => pid === process.pid)?.identity
    const create = (name: string, ...labels: string[]) =>
      own.docker(
        'create',
        `--name=${name}`,
        '--network=none',
        ...labels.map((label) => `--label=${label}`),
        image,
        'true',
      )
    create('orphan', `${LABEL.host}=${host}`, `${LABEL.runner}=999999@1`)
    create('running', `${LABEL.host}=${host}`, `${LABEL.runner}=${alive}`)
    create('elsewhere', `${LABEL.host}=other`, `${LABEL.runner}=999999@1`)
    create('stranger')
    const commit = (name: string) => own.docker('commit', name).trim()
    const [gone, used] = [commit('orphan'), commit('running')]
    await isolation.sweep()
    const images = own.docker('images', '--all', '--quiet', '--no-trunc').split('\n')
    expect([images.includes(gone), images.includes(used)]).toEqual([false, true])
    own.docker('rmi', used)
    const left = own.docker('ps', '-a', '--format', '{{.Names}}').trim().split('\n').sort()
    expect(left).toEqual(['elsewhere', 'running', 'stranger'])
    own.docker('rm', ...left)
  })

  it('says so when the walls fail and not the subject', async () => {
    const attempt = new SandboxedAttempt(isolation)
    const host = process.env.DOCKER_HOST
    process.env.DOCKER_HOST = 'unix:///nowhere/docker.sock'
    try {
      expect(await attempt.run('true')).toMatchObject({ cause: 'spawn-failed' })
    } finally {
      process.env.DOCKER_HOST = host
      attempt.remove()
    }
  })
})
