import type { KubernetesSettings } from './executor-settings.ts'
import { engineName, type RemoteManifest, shardArguments } from './manifest.ts'
import { RUN_TOKEN_VARIABLE } from './remote-report.ts'

const TOKEN_KEY = 'token'
/** The same input would be refused again; a retry would waste a pod. */
const USAGE_EXIT_CODE = 2
const CONTAINER = 'shard'
const HOUR_SECONDS = 3600

/** Builds the Indexed Job of a run (batch/v1): one pod per shard; Kubernetes retries a failed index. */
export function kubernetesJob(manifest: RemoteManifest, settings: KubernetesSettings) {
  const { shards, planDigest, title } = manifest
  const { namespace, retries, hours, keepMinutes, parallelism = shards } = settings
  const name = engineName(manifest)
  const labels = labelsOf(manifest)
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace,
      labels,
      annotations: { 'proofboard/plan-digest': planDigest, 'proofboard/title': title },
    },
    spec: {
      completionMode: 'Indexed',
      completions: shards,
      parallelism: Math.min(parallelism, shards),
      backoffLimitPerIndex: retries,
      // A shard that fails for good must not end the others.
      maxFailedIndexes: shards,
      activeDeadlineSeconds: hours * HOUR_SECONDS,
      ttlSecondsAfterFinished: keepMinutes * 60,
      podReplacementPolicy: 'Failed',
      podFailurePolicy: {
        rules: [
          {
            action: 'FailIndex',
            onExitCodes: { containerName: CONTAINER, operator: 'In', values: [USAGE_EXIT_CODE] },
          },
          // A drained node does not count as a failure of the shard.
          {
            action: 'Ignore',
            onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }],
          },
        ],
      },
      template: { metadata: { labels }, spec: podOf(manifest, settings) },
    },
  }
}

function podOf(manifest: RemoteManifest, settings: KubernetesSettings) {
  const { image, imagePullSecrets, serviceAccount, user, seccomp, nodeSelector, disk } = settings
  const { cpu, memory } = settings.resources
  const amounts = { cpu, memory, 'ephemeral-storage': disk }
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(serviceAccount !== undefined && { serviceAccountName: serviceAccount }),
    ...(imagePullSecrets.length > 0 && {
      imagePullSecrets: imagePullSecrets.map((name) => ({ name })),
    }),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      seccompProfile: { type: seccomp },
    },
    containers: [
      {
        name: CONTAINER,
        image,
        command: ['tini', '--', 'proofboard'],
        args: [...shardArguments(manifest), '--out', '/work/run'],
        env: environmentOf(manifest, settings),
        resources: { requests: amounts, limits: amounts },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: 'work', mountPath: '/work' },
          { name: 'tmp', mountPath: '/tmp' },
        ],
      },
    ],
    volumes: [
      { name: 'work', emptyDir: { sizeLimit: disk } },
      { name: 'tmp', emptyDir: { sizeLimit: disk } },
    ],
  }
}

/** Kubernetes itself adds JOB_COMPLETION_INDEX, which is the shard's number minus one. */
function environmentOf(manifest: RemoteManifest, { secrets }: KubernetesSettings) {
  const secret = (variable: string, name: string, key: string) => ({
    name: variable,
    valueFrom: { secretKeyRef: { name, key } },
  })
  return [
    { name: 'HOME', value: '/work' },
    { name: 'PROOFBOARD_DATA_DIR', value: '/work/data' },
    { name: 'PROOFBOARD_HOST', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    secret(RUN_TOKEN_VARIABLE, engineName(manifest), TOKEN_KEY),
    ...secrets.map((one) => secret(one.variable, one.secret, one.key)),
  ]
}

/** Builds the Secret with the token of a run; owned by the job, so that Kubernetes removes both together. */
export function kubernetesSecret(
  manifest: RemoteManifest,
  { namespace }: KubernetesSettings,
  { token, jobUid }: { token: string; jobUid: string },
) {
  const name = engineName(manifest)
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name, uid: jobUid }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: labelsOf(manifest), ownerReferences: [owner] },
    type: 'Opaque',
    stringData: { [TOKEN_KEY]: token },
  }
}

function labelsOf({ runId }: RemoteManifest) {
  return { 'app.kubernetes.io/name': 'proofboard', 'proofboard/run': runId }
}
