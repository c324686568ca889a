import type { EncloseRequest } from '../isolation.ts'

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
