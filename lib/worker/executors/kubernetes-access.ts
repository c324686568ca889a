import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import type { KubernetesSettings } from '../../domain/executors/index.ts'
import { clusterAddress } from '../../env.ts'
import { EngineFailure, type Tls } from './engine.ts'

type Access = {
  server: string
  token: string | null
  tls: Tls
}

const IN_CLUSTER = '/var/run/secrets/kubernetes.io/serviceaccount'

/**
 * Returns how to reach a cluster: by the kubeconfig that the settings name, or as the pod that this server runs in.
 * Throws an EngineFailure.
 */
export function readAccess({ kubeconfig, context }: KubernetesSettings): Access {
  if (kubeconfig !== undefined) return readKubeconfig(kubeconfig, context)
  const server = clusterAddress()
  if (server === null || !existsSync(`${IN_CLUSTER}/token`))
    throw final('this server does not run in Kubernetes: name a kubeconfig file in executors.yaml')
  // Read each time: Kubernetes replaces it.
  const token = readBytes(`${IN_CLUSTER}/token`).toString('utf8').trim()
  return { server, token, tls: { ca: readBytes(`${IN_CLUSTER}/ca.crt`) } }
}

const named = <K extends string, S extends z.ZodType>(key: K, schema: S) =>
  z.array(z.object({ name: z.string(), [key]: schema } as { name: z.ZodString } & Record<K, S>))

const kubeconfigSchema = z.object({
  'current-context': z.string().optional(),
  contexts: named('context', z.object({ cluster: z.string(), user: z.string() })),
  clusters: named(
    'cluster',
    z.object({
      server: z.url({ protocol: /^https?$/ }),
      'certificate-authority': z.string().optional(),
      'certificate-authority-data': z.string().optional(),
    }),
  ),
  users: named(
    'user',
    z.object({
      token: z.string().optional(),
      tokenFile: z.string().optional(),
      'client-certificate': z.string().optional(),
      'client-certificate-data': z.string().optional(),
      'client-key': z.string().optional(),
      'client-key-data': z.string().optional(),
    }),
  ),
})

/**
 * Reads server, certificate authority, and token or client certificate; programs that log in are not started. Relative
 * paths start at the kubeconfig's folder, as in kubectl. Throws an EngineFailure.
 */
function readKubeconfig(file: string, wanted: string | undefined): Access {
  const parsed = kubeconfigSchema.safeParse(readYaml(file))
  if (!parsed.success)
    throw final(`${file} is not a kubeconfig: ${parsed.error.issues[0]?.path.join('.')} is wrong`)
  const { contexts, clusters, users, 'current-context': current } = parsed.data
  const name = wanted ?? current
  const context = contexts.find((one) => one.name === name)?.context
  const cluster = clusters.find((one) => one.name === context?.cluster)?.cluster
  const user = users.find((one) => one.name === context?.user)?.user
  if (!cluster || !user) throw final(`${file} has no complete context ${name ?? '(none named)'}`)
  const folder = dirname(file)
  const { token, cert, key } = readUser(user, folder)
  if (token === null && !cert)
    throw final(
      `${file} has neither a token nor a client certificate for ${context?.user}; programs that log in (exec) are not started`,
    )
  const data = cluster['certificate-authority-data']
  const ca = bytesOf(data, cluster['certificate-authority'], folder)
  return { server: cluster.server.replace(/\/+$/, ''), token, tls: { ca, cert, key } }
}

type KubeconfigUser = z.infer<typeof kubeconfigSchema>['users'][number]['user']

function readUser(user: KubeconfigUser, folder: string) {
  const token = user.token ?? bytesOf(undefined, user.tokenFile, folder)?.toString('utf8').trim()
  return {
    token: token ?? null,
    cert: bytesOf(user['client-certificate-data'], user['client-certificate'], folder),
    key: bytesOf(user['client-key-data'], user['client-key'], folder),
  }
}

function readYaml(file: string): unknown {
  const text = readBytes(file).toString('utf8')
  try {
    return parse(text)
  } catch (error) {
    throw unreadable(file, error)
  }
}

function bytesOf(
  data: string | undefined,
  file: string | undefined,
  folder: string,
): Buffer | undefined {
  if (data !== undefined) return Buffer.from(data, 'base64')
  return file === undefined ? undefined : readBytes(resolve(folder, file))
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw unreadable(file, error)
  }
}

function unreadable(file: string, error: unknown): EngineFailure {
  return final(`${file} cannot be read: ${(error as Error).message.split('\n')[0]}`)
}

function final(message: string): EngineFailure {
  return new EngineFailure(message, { isFinal: true })
}
