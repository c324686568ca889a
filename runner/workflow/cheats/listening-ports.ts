import { readFileSync } from 'node:fs'

/** The ports that something listens at on this machine's loopback, as far as it can be seen from here. */
export function listeningPorts(): number[] {
  const table = readFileSync('/proc/net/tcp', 'latin1').trim().split('\n').slice(1)
  return table.flatMap((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/)
    return state === '0A' ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : []
  })
}
