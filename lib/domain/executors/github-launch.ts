import type { Plan } from '../record/index.ts'
import type { GithubSettings } from './executor-settings.ts'
import { engineName, type RemoteManifest } from './manifest.ts'

/** Builds the one input of `launch.yml` as text: everything that a shard needs to start, without secrets. */
export function githubLaunch(
  manifest: RemoteManifest,
  { parallelism = manifest.shards }: Pick<GithubSettings, 'parallelism'>,
  { subject, settings }: Pick<Plan, 'subject' | 'settings'>,
): string {
  const { runId, planDigest, url, title, shards } = manifest
  return JSON.stringify({
    schemaVersion: 1,
    name: engineName(manifest),
    title,
    runId,
    planDigest,
    url,
    // Decides what is installed, and which key the step receives.
    subject: subject.name,
    provider: subject.provider,
    kind: settings.browser === undefined ? 'exercise' : 'browser',
    shards: Array.from({ length: shards }, (_, index) => index + 1),
    parallelism: Math.min(parallelism, shards),
  })
}

/** The title that `launch.yml` gives its run: GitHub's response to a dispatch does not contain the run's id. */
export function githubRunName(manifest: RemoteManifest): string {
  return `launch ${engineName(manifest)}`
}
