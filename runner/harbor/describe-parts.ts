import { z } from 'zod'
import type { CollectPart, HarborFile, HarborTask } from '#lib/domain/tasks/index.ts'
import { MAIN } from './services/service.ts'
import { fillDefaults } from './variables.ts'

type Policy = {
  network_mode?: 'public' | 'no-network' | 'allowlist' | undefined
  allowed_hosts?: string[] | undefined
  allow_internet?: boolean | undefined
}

/** True if the environment has a network unless a part of the task closes it. */
export function baselineOf({ environment }: HarborFile): boolean {
  return networkOf(environment, true) === 'on'
}

/** Allow lists of hosts are not supported in any sandbox, so they mean no network. */
export function networkOf(policy: Policy, otherwise: boolean): 'on' | 'off' {
  const { network_mode: mode, allowed_hosts: hosts = [], allow_internet: allowed } = policy
  if (mode !== undefined) return mode === 'public' ? 'on' : 'off'
  if (hosts.length > 0) return 'off'
  return (allowed ?? otherwise) ? 'on' : 'off'
}

/** Describes an agent's part of a task or step. */
export function agentOf(
  { timeout_sec: seconds, user }: Pick<HarborFile['agent'], 'timeout_sec' | 'user'>,
  network: 'on' | 'off',
): HarborTask['agent'] {
  return {
    timeoutMs: seconds === undefined ? null : Math.round(seconds * 1000),
    user: userOf(user),
    network,
  }
}

/** Describes the verifier of a task or step. */
export function verifierOf(
  verifier: HarborFile['verifier'],
  network: 'on' | 'off',
  artifacts: HarborFile['artifacts'],
): HarborTask['verifier'] {
  const { paths, ofServices } = listArtifacts(artifacts)
  const collect = (verifier.collect ?? []).map(collectOf)
  return {
    timeoutMs: Math.round(verifier.timeout_sec * 1000),
    env: fillDefaults(verifier.env),
    user: userOf(verifier.user),
    network,
    ...(isSeparate(verifier) && {
      separate: {
        image: verifier.environment?.docker_image ?? null,
        artifacts: paths,
        ...(ofServices.length > 0 && { ofServices }),
      },
    }),
    ...(collect.length > 0 && { collect }),
  }
}

function collectOf({
  service,
  command,
  timeout_sec: seconds,
  user,
}: NonNullable<HarborFile['verifier']['collect']>[number]): CollectPart {
  return { service, command, timeoutMs: Math.round(seconds * 1000), user: userOf(user) }
}

/** True if the verifier runs in an environment of its own. */
export function isSeparate({
  environment_mode: mode,
  environment,
}: HarborFile['verifier']): boolean {
  return mode === 'separate' || (mode === undefined && environment !== undefined)
}

/** The format's own folder for artifacts. */
const ARTIFACTS_FOLDER = '/logs/artifacts'

/** Paths that a separate verifier environment receives: of `main`, and of other services. */
export function listArtifacts(artifacts: HarborFile['artifacts'] = []): {
  paths: string[]
  ofServices: { service: string; path: string }[]
  refusal: string | null
} {
  const read = artifacts.map((one) => artifactSchema.safeParse(one).data)
  const known = read.flatMap((one) => one ?? [])
  const isUnread = read.length > known.length || known.some(({ source }) => !isPlainPath(source))
  const own = known.filter(({ service }) => service === MAIN).map(({ source }) => source)
  return {
    paths: [...new Set([ARTIFACTS_FOLDER, ...own])],
    ofServices: known
      .filter(({ service }) => service !== MAIN)
      .map(({ service, source: path }) => ({ service, path })),
    refusal: isUnread ? 'hands its verifier artifacts that are not plain absolute paths' : null,
  }
}

const artifactSchema = z.union([
  z.string().transform((source) => ({ source, service: MAIN })),
  z.strictObject({
    source: z.string(),
    destination: z.string().optional(),
    service: z.string().min(1).max(100).default(MAIN),
  }),
])

function isPlainPath(path: string): boolean {
  return /^(\/[^/\0\n]+)+$/.test(path) && !path.split('/').includes('..') && path.length <= 1000
}

function userOf(user: string | number | undefined): string | null {
  return user === undefined ? null : String(user)
}
