import type { Plan } from '../record/index.ts'
import type { GithubSettings } from './executor-settings.ts'
import { engineName, type RemoteManifest } from './manifest.ts'

/** The one input of `launch.yml`, as text: everything a shard needs to start, without secrets. */
export function githubLaunch(
  manifest: RemoteManifest,
  { parallelism = manifest.shards }: Pick<GithubSettings, 'parallelism'>,
  { subject, settings }: Pick<Plan, 'subject' | 'settings'>,
): string {
  const { runId, planDigest, url, title, shards } = manifest
  return JSON.stringify({
    ...{ schemaVersion: 1, name: engineName(manifest), title, runId, planDigest, url },
    // What has to be installed, and whose key the step is given.
    subject: subject.name,
    provider: subject.provider,
    kind: settings.browser === undefined ? 'exercise' : 'browser',
    shards: Array.from({ length: shards }, (_, index) => index + 1),
    parallelism: Math.min(parallelism, shards),
  })
}

/** The title that `launch.yml` gives its run: GitHub answers a dispatch without saying which run it became. */
export function githubRunName(manifest: RemoteManifest): string {
  return `launch ${engineName(manifest)}`
}
