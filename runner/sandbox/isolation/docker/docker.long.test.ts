import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeRuns } from '#lib/testing/chaos/isolated-runs.ts'
import { SandboxedAttempt } from '#lib/testing/chaos/sandboxed-attempt.ts'
import { BASE_IMAGE, startTestDocker, type TestDocker } from '#lib/testing/chaos/test-docker.ts'
import { testIsolation } from '#lib/testing/chaos/test-isolation.ts'
import { pollUntil, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { lacking } from '#lib/testing/needs.ts'
import { ESCAPES } from '#lib/testing/verifier/escapes.ts'
import { exerciseInput, IS_42, oneTest, WRONG } from '#lib/testing/verifier/exercise-input.ts'
import { createVerifier } from '../../../verify/exercise/create-verifier.ts'
import { dockerSandbox } from '../../../verify/exercise/docker-sandbox.ts'
import { listProcesses } from '../../process/list-processes.ts'
import type { Isolation } from '../isolation.ts'
import { checkImage } from './check-image.ts'
import { createDocker } from './docker.ts'
import { LABEL, listImages } from './docker-client.ts'
import { RUN_REPOSITORY, runnerLabels, sweepImages } from './sweep-containers.ts'

function writeDockerfile(lines: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  writeFileSync(join(folder, 'Dockerfile'), `${lines.join('\n')}\n`)
  return folder
}

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

  it('runs the image by digest, whatever its tag says, and shows it the attempt’s folders alone', async () => {
    const { containerImageDigest: ours } = await isolation.record()
    expect(own.docker('inspect', '--format', '{{.Parent}}', String(ours)).trim()).toBe(image)
    expect(await listImages()).toMatchObject([{ digest: image, used: true }])
    const attempt = new SandboxedAttempt(isolation)
    own.docker('tag', BASE_IMAGE, 'proofboard-subject')
    try {
      const running = attempt.run('sleep 2')
      await pollUntil(() => own.containers().length > 0)
      const [id = ''] = own.containers()
      expect(own.docker('inspect', '--format', '{{.Image}}', id).trim()).toBe(ours)
      const sources = own.docker('inspect', '--format', '{{range .Mounts}}{{.Source}} {{end}}', id)
      for (const source of sources.trim().split(' ')) expect(source).toContain(`${attempt.folder}/`)
      await running
    } finally {
      own.docker('tag', image, 'proofboard-subject')
      attempt.remove()
    }
  })

  it('lends the network of one container to one program after the other, and ends it with its process', async () => {
    const held = () => own.docker('ps', '--quiet', '--filter', `label=${LABEL.network}=1`).trim()
    const attempt = new SandboxedAttempt(isolation)
    try {
      const first = await attempt.run('cat /proc/net/dev; hostname; readlink /proc/self/ns/net')
      const name = held()
      const second = await attempt.run('cat /proc/net/dev; hostname; readlink /proc/self/ns/net')
      expect(first.said).toMatch(/^ +lo:/m)
      expect(first.said).not.toMatch(/^ +(?!lo:)\w+:/m)
      expect(first.said).toMatch(/^proofboard$/m)
      expect(held()).toBe(name)
      const networkOf = (said: string) => /net:\[\d+\]/.exec(said)?.[0]
      expect(networkOf(second.said)).toBe(networkOf(first.said))
      const both = await Promise.all([1, 2].map(() => attempt.run('readlink /proc/self/ns/net')))
      expect(new Set(both.map(({ said }) => said)).size).toBe(2)
    } finally {
      attempt.remove()
    }
  })

  it('sweeps containers of runners that are gone with their images, and no others', async () => {
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
    const names = own.docker('ps', '-a', '--format', '{{.Names}}').trim().split('\n').sort()
    const left = names.filter((name) => !name.startsWith('proofboard-network-'))
    expect(left).toEqual(['elsewhere', 'running', 'stranger'])
    own.docker('rm', ...left)
  })

  it('grades solutions in containers that see nothing, and leaves none', async () => {
    const verifier = createVerifier({ places: [dockerSandbox('/usr/bin/docker')] })
    const evaluate = (solution: string) =>
      verifier.evaluate(
        exerciseInput({ solution, test: oneTest('answer', IS_42), expected: ['t'] }),
      )
    try {
      expect(await verifier.describe()).toMatchObject({
        verifier: { sandbox: 'docker', network: 'none' },
        weakness: null,
      })
      const right = await evaluate('export const answer = () => 42')
      expect(right.verdict, right.log).toBe('pass')
      expect((await evaluate(WRONG)).verdict).toBe('fail')
      const [attack] = ESCAPES.filter(({ name }) => name === 'process.reallyExit')
      const caught = await evaluate(attack?.solution ?? '')
      expect([caught.verdict, ...caught.findings.map(({ code }) => code)]).toEqual([
        'fail',
        'exit-attempt',
      ])
      expect((await evaluate('export const answer = () => { for (;;); }')).verdict).toBe('fail')
      const format = '{{.HostConfig.NetworkMode}} {{.HostConfig.ReadonlyRootfs}} {{len .Mounts}}'
      // Some of the containers may be ending.
      const [waiting] = own.containers().flatMap((id) => {
        try {
          return own.docker('inspect', '--format', format, id).trim()
        } catch {
          return []
        }
      })
      expect(waiting).toBe('none true 0')
    } finally {
      await verifier.close()
    }
    await pollUntil(() => own.containers().length === 0)
  })

  it('leaves no container of a grading that is closed while its container is made', async () => {
    for (const afterMs of [0, 50, 100, 150, 200, 300, 400, 600]) {
      const verifier = createVerifier({ places: [dockerSandbox('/usr/bin/docker')] })
      const described = verifier.describe().catch(() => undefined)
      await sleep(afterMs)
      await verifier.close()
      await described
      await sleep(500)
      expect(own.containers(), `closed after ${afterMs} ms`).toEqual([])
    }
  })

  it('refuses an image without a shell, and without the user that is asked for', async () => {
    const build = (tag: string, ...lines: string[]) =>
      own.docker('build', '--quiet', `--tag=${tag}`, writeDockerfile(lines))
    build('no-shell', `FROM ${BASE_IMAGE}`, 'RUN rm /bin/sh')
    const asked = { what: 'the image', needsNode: true }
    await expect(checkImage('no-shell', asked)).rejects.toThrow('has no shell')
    await expect(checkImage(image, { ...asked, users: ['nobody', 'me'] })).rejects.toThrow(
      'cannot start programs as the user me',
    )
    expect(await checkImage(image, asked)).toMatch(/^linux\//)
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

  // Last: this process remembers the images that it made.
  it('removes images of its programs after a week without use, unless a container has one', async () => {
    const ours = own.docker('images', '--format', '{{.Repository}}:{{.Tag}}', RUN_REPOSITORY).trim()
    expect(ours).toMatch(/^proofboard-run:[0-9a-f]{40}$/)
    const inADay = Date.now() + 24 * 3_600_000
    await sweepImages(inADay)
    const all = () => own.docker('images', '--format', '{{.Repository}}', RUN_REPOSITORY).trim()
    expect(all()).toBe(RUN_REPOSITORY)
    own.docker('create', '--name=uses', '--network=none', ours, 'true')
    await sweepImages(Date.now() + 8 * 24 * 3_600_000)
    expect(all()).toBe(RUN_REPOSITORY)
    own.docker('rm', 'uses')
    // Networks that this process holds are containers too, until nothing has used them for half a minute.
    await pollUntil(() => own.docker('ps', '-aq').trim() === '')
    await sweepImages(Date.now() + 8 * 24 * 3_600_000)
    expect(all()).toBe('')
  })
})
