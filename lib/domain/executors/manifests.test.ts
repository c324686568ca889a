import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { Secret } from 'kubernetes-models/v1/Secret'
import { describe, expect, it } from 'vitest'
import { samplePlan } from '#lib/testing/factories/samples.ts'
import { type Executors, parseExecutors } from './executor-settings.ts'
import { githubLaunch, githubRunName } from './github-launch.ts'
import { kubernetesJob, kubernetesSecret } from './kubernetes-job.ts'
import { remoteManifest, spendCapOfShard } from './manifest.ts'
import { slurmScript } from './slurm-script.ts'

const url = 'https://board.example'
const request = { runId: 'run_abcd1234', url, launch: 1 }

function executorsOf(input: object): Executors {
  const parsed = parseExecutors({ schemaVersion: 1, ...input })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.value
}

function settingsOf<K extends 'kubernetes' | 'slurm' | 'github'>(name: K, input: object) {
  const settings = executorsOf({ [name]: input })[name]
  if (!settings) throw new Error('not configured')
  return settings as NonNullable<Executors[K]>
}

describe('one manifest from one plan', () => {
  it('has never more shards than the plan has episodes, and keeps the spend cap', () => {
    const plan = samplePlan() // Two tasks, two repetitions.
    expect(remoteManifest(plan, { ...request, shards: 100 })).toEqual({
      ...request,
      shards: 4,
      planDigest: plan.planDigest,
      title: `${plan.subject.name} on ${plan.suiteId}`,
    })
    expect(spendCapOfShard(10, 3)).toBe(3)
    expect(spendCapOfShard(null, 3)).toBeNull()
  })
})

describe('Kubernetes', () => {
  const settings = settingsOf('kubernetes', {
    namespace: 'bench',
    image: 'registry.example/proofboard@sha256:abcd',
    imagePullSecrets: ['pull'],
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    parallelism: 2,
    secrets: [{ variable: 'ANTHROPIC_API_KEY', secret: 'model-keys', key: 'anthropic' }],
  })
  const manifest = remoteManifest(samplePlan(), { ...request, shards: 4 })

  it('the job is one that the published schema of batch/v1 takes', () => {
    const job = kubernetesJob(manifest, settings)
    expect(() => new Job(job as object).validate()).not.toThrow()
    const wrong = { ...job, spec: { ...job.spec, completions: 'four' } }
    expect(() => new Job(wrong as object).validate()).toThrow()
  })

  it('is an Indexed Job whose pods are closed', () => {
    const { spec } = kubernetesJob(manifest, settings)
    expect(spec).toMatchObject({
      completionMode: 'Indexed',
      completions: 4,
      parallelism: 2,
      backoffLimitPerIndex: 3,
      maxFailedIndexes: 4,
      activeDeadlineSeconds: 86_400,
      ttlSecondsAfterFinished: 3600,
    })
    const pod = spec.template.spec
    expect(pod).toMatchObject({
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000 },
      imagePullSecrets: [{ name: 'pull' }],
      nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    })
    expect(pod.containers[0]).toMatchObject({
      args: ['work', '--server', url, '--run-id', 'run_abcd1234', '--out', '/work/run'],
      securityContext: {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      },
      resources: { limits: { cpu: '2', memory: '4Gi' } },
    })
  })

  it('names secrets and holds none', () => {
    const job = JSON.stringify(kubernetesJob(manifest, settings))
    expect(job).toContain('"secretKeyRef":{"name":"model-keys","key":"anthropic"}')
    const token = `pbr_${'a'.repeat(43)}`
    const secret = kubernetesSecret(manifest, settings, { token, jobUid: 'u-1' })
    expect(() => new Secret(secret as object).validate()).not.toThrow()
    expect(secret.metadata.ownerReferences[0]).toMatchObject({ kind: 'Job', uid: 'u-1' })
    expect(job).not.toContain(token)
  })
})

describe('Slurm', () => {
  const settings = settingsOf('slurm', {
    folder: '/shared/proofboard',
    partition: 'bench',
    parallelism: 2,
    secrets: [{ variable: 'OPENAI_API_KEY', file: '/etc/keys/openai' }],
  })
  const manifest = remoteManifest(samplePlan(), { ...request, shards: 4 })
  const place = { folder: '/shared/proofboard/run', command: ['/usr/bin/node', "/opt/it's/x.mjs"] }
  const script = slurmScript(manifest, settings, place)

  it('is an array with one task for each shard', () => {
    expect(script.split('\n')).toEqual(
      expect.arrayContaining([
        '#SBATCH --job-name=proofboard-run-abcd1234',
        '#SBATCH --array=1-4%2',
        '#SBATCH --partition=bench',
        '#SBATCH --requeue',
        '#SBATCH --export=NIL',
      ]),
    )
    expect(script).not.toContain('pbr_')
  })

  it('is a script that bash reads, and every word of the command stays one word', () => {
    const folder = mkdtempSync(join(tmpdir(), 'proofboard-slurm-'))
    try {
      const file = join(folder, 'job.sh')
      writeFileSync(file, script)
      expect(execaSync('bash', ['-n', file]).stderr).toBe('')
      expect(script).toContain(`'/opt/it'\\''s/x.mjs' 'work' '--server' '${url}'`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('GitHub', () => {
  const plan = samplePlan()
  const manifest = remoteManifest(plan, { ...request, launch: 2, shards: 3 })

  it('is told what a shard needs to start, and no secret', () => {
    const settings = settingsOf('github', { repository: 'acme/bench', parallelism: 2 })
    expect(settings).toMatchObject({
      workflow: 'launch.yml',
      ref: 'main',
      token: 'PROOFBOARD_GITHUB_TOKEN',
    })
    expect(JSON.parse(githubLaunch(manifest, settings, plan))).toEqual({
      schemaVersion: 1,
      name: 'proofboard-run-abcd1234-2',
      title: manifest.title,
      runId: 'run_abcd1234',
      planDigest: plan.planDigest,
      url,
      kind: 'exercise',
      subject: plan.subject.name,
      provider: plan.subject.provider,
      shards: [1, 2, 3],
      parallelism: 2,
    })
    expect(githubRunName(manifest)).toBe('launch proofboard-run-abcd1234-2')
  })
})

describe('executors.yaml', () => {
  it.each<[string, object, string]>([
    ['an unknown field', { kubernetes: { image: 'a/b', imagee: 'c' } }, 'kubernetes'],
    ['no image', { kubernetes: {} }, 'kubernetes.image'],
    ['a relative folder', { slurm: { folder: 'shared' } }, 'slurm.folder'],
    [
      'a line break',
      { slurm: { folder: '/a', partition: 'a\n#SBATCH --uid=0' } },
      'slurm.partition',
    ],
    ['a quote in a folder', { slurm: { folder: `/a'$(id)` } }, 'slurm.folder'],
    ['no owner', { github: { repository: 'bench' } }, 'github.repository'],
    [
      'a file elsewhere',
      { github: { repository: 'a/b', workflow: '../x.yml' } },
      'github.workflow',
    ],
    [
      'a token in the clear',
      { github: { repository: 'a/b', api: 'http://github.example' } },
      'github.api',
    ],
    [
      'a host that only begins like this machine',
      { github: { repository: 'a/b', api: 'http://localhost.evil.example' } },
      'github.api',
    ],
    [
      'a key of a model provider',
      { github: { repository: 'a/b', token: 'GITHUB_TOKEN' } },
      'github.token',
    ],
    ['a token itself', { github: { repository: 'a/b', token: 'ghp_abcdef' } }, 'github.token'],
    [
      'our own variable',
      { slurm: { folder: '/a', secrets: [{ variable: 'PROOFBOARD_RUN_TOKEN', file: '/b' }] } },
      'slurm.secrets.0.variable',
    ],
  ])('%s is named by its field', (_, input, path) => {
    const parsed = parseExecutors({ schemaVersion: 1, ...input })
    expect(parsed.ok ? [] : parsed.problems.map((one) => one.path)).toEqual([path])
  })
})
