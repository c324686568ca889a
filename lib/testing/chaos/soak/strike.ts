import { setTimeout as pause } from 'node:timers/promises'
import {
  type SeededGenerator,
  seededGenerator,
} from '../../../domain/statistics/seeded-generator.ts'
import type { Cluster } from './cluster.ts'

const MIN_PAUSE_MS = 4000
const MAX_PAUSE_MS = 12_000
/** Longer than a lease, so that other workers take over the jobs of a disconnected host. */
const MIN_CUT_MS = 5000
const MAX_CUT_MS = 45_000

const KINDS = [
  'kill a worker',
  'kill a web server',
  'crash the database',
  'cut off a host',
] as const
type Kind = (typeof KINDS)[number]

const WEIGHTS: Readonly<Record<Kind, number>> = {
  'kill a worker': 5,
  'kill a web server': 2,
  'crash the database': 1,
  'cut off a host': 3,
}

/** Number of faults of each kind. */
export type Strikes = Record<Kind, number>

/** Injects faults into the cluster, drawn from the seed, until `signal`; then reconnects everything. */
export async function strike(
  cluster: Cluster,
  { seed, signal, say }: { seed: number; signal: AbortSignal; say: (line: string) => void },
): Promise<Strikes> {
  const chance = seededGenerator(seed)
  const strikes: Strikes = {
    'kill a worker': 0,
    'kill a web server': 0,
    'crash the database': 0,
    'cut off a host': 0,
  }
  const cuts: Promise<void>[] = []
  const away = new Set<string>()
  while (!signal.aborted) {
    await sleep(between(chance, MIN_PAUSE_MS, MAX_PAUSE_MS), signal)
    if (signal.aborted) break
    const kind = drawKind(chance)
    strikes[kind] += 1
    if (kind === 'kill a worker') say(`  kill -9 ${cluster.killOne(cluster.workers, chance)}`)
    else if (kind === 'kill a web server') say(`  kill -9 ${cluster.killOne(cluster.webs, chance)}`)
    else if (kind === 'crash the database') {
      say('  the database crashes and starts again')
      await cluster.crashDatabase()
    } else cuts.push(cutOff(cluster, chance, { away, signal, say }))
  }
  await Promise.all(cuts)
  return strikes
}

/** Disconnects workers, web servers or the evidence store. The database, which all need, crashes instead. */
async function cutOff(
  cluster: Cluster,
  chance: SeededGenerator,
  { away, signal, say }: { away: Set<string>; signal: AbortSignal; say: (line: string) => void },
): Promise<void> {
  const hosts = [...cluster.workers, ...cluster.webs, 'store'].filter((one) => !away.has(one))
  const host = hosts[chance.nextBelow(hosts.length)] ?? 'store'
  const ms = between(chance, MIN_CUT_MS, MAX_CUT_MS)
  say(`  ${host} is cut off for ${(ms / 1000).toFixed(0)} s`)
  away.add(host)
  await cluster.network.cut(host)
  await sleep(ms, signal)
  await cluster.network.reconnect(host)
  away.delete(host)
}

function drawKind(chance: SeededGenerator): Kind {
  let left = chance.nextBelow(KINDS.reduce((sum, kind) => sum + WEIGHTS[kind], 0))
  for (const kind of KINDS) {
    left -= WEIGHTS[kind]
    if (left < 0) return kind
  }
  throw new Error('the weights do not add up')
}

const between = (chance: SeededGenerator, min: number, max: number) =>
  min + chance.nextBelow(max - min)

const sleep = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }).catch(() => {})
