import type { EncloseRequest } from '../isolation.ts'
import type { HeldNetwork } from './hold-network.ts'

/** Options of `docker run` for the network; one that is `held` brings its host name. */
export function networkArgv(
  { network }: Pick<EncloseRequest, 'network'>,
  held: HeldNetwork | null,
): string[] {
  if (held !== null) return [`--network=${held.name}`]
  return [`--network=${network ? 'bridge' : 'none'}`, '--hostname=proofboard']
}

/** Options of `docker run` that set limits. */
export function limitArgv({
  maxThreads,
  memoryBytes,
  cpus,
  diskQuotaBytes,
}: EncloseRequest['limits']): string[] {
  return [
    `--pids-limit=${maxThreads}`,
    `--memory=${memoryBytes}`,
    `--memory-swap=${memoryBytes}`,
    `--cpus=${cpus}`,
    `--ulimit=fsize=${diskQuotaBytes}`,
    '--ulimit=core=0',
  ]
}

/** One `--mount` option, which docker parses as CSV: a path may contain commas and quotes. */
export function bind(host: string, inside: string): string {
  const source = `source=${host}`.replaceAll('"', '""')
  return `--mount=type=bind,"${source}",target=${inside}`
}

/** The same, read-only. */
export function bindReadOnly(host: string, inside: string): string {
  return `${bind(host, inside)},readonly`
}
