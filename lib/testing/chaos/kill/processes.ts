import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { SeededGenerator } from '../../../domain/statistics/seeded-generator.ts'

const KINDS = ['web', 'worker', 'runner', 'agent', 'child', 'guard', 'supervisor'] as const
/** Kinds of processes that can be killed. An agent's child and the shell that guards a run are separate processes. */
type Kind = (typeof KINDS)[number]

export type OwnedProcess = {
  pid: number
  kind: Kind | 'other'
  words: readonly string[]
  /** The run that it works for, and the attempt of an agent; null = none. */
  runId: string | null
  episodeId: string | null
}

/** Lists the processes of this test: each has the root folder in its arguments, environment or working folder. */
export function listTreeProcesses(root: string): OwnedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => see(Number(name), root) ?? [])
}

function see(pid: number, root: string): OwnedProcess | null {
  const line = read(pid, 'cmdline')
  if (line === '') return null // gone, or a zombie
  const environment = read(pid, 'environ')
  if (!line.includes(root) && !environment.includes(root)) return null
  const words = line.split('\0').filter((word) => word !== '')
  const runId = /run_[0-9a-z]{8,40}/.exec(`${line}\0${environment}`)?.[0] ?? null
  const episodeId = /(?:^|\0)PROOFBOARD_EPISODE=([^\0]+)/.exec(environment)?.[1] ?? null
  return { pid, kind: kindOf(words, episodeId), words, runId, episodeId }
}

const SIGNS: readonly (readonly [string, Kind])[] = [
  ['proofboard-guard', 'guard'],
  ['lib/setup/start.mjs', 'supervisor'],
  ['lib/worker/worker.mjs', 'worker'],
  ['runner/cli/proofboard.mjs', 'runner'],
  ['next/dist/bin/next', 'web'],
  ['next-server', 'web'],
]

function kindOf(words: readonly string[], episodeId: string | null): OwnedProcess['kind'] {
  const has = (sign: string) => words.some((word) => word.endsWith(sign) || word.startsWith(sign))
  if (episodeId !== null) return has('/child.sh') ? 'child' : has('/agent.sh') ? 'agent' : 'other'
  return SIGNS.find(([sign]) => has(sign))?.[1] ?? 'other'
}

function read(pid: number, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

/** Processes that are killed at once: one, two of different kinds, or the whole tree. */
type Target = Kind | 'two' | 'all'
export type KillTarget = { name: Target; victims: readonly OwnedProcess[] }

const WEIGHTS: Readonly<Record<Target, number>> = {
  web: 2,
  worker: 3,
  runner: 4,
  agent: 4,
  child: 2,
  guard: 2,
  supervisor: 1,
  two: 2,
  all: 1,
}

/** Draws the next target, before checking whether it is running. */
export function drawTarget(only: readonly Kind[], chance: SeededGenerator): Target {
  const targets: readonly Target[] = only.length > 0 ? only : [...KINDS, 'two', 'all']
  let left = chance.nextBelow(targets.reduce((sum, target) => sum + WEIGHTS[target], 0))
  for (const target of targets) {
    left -= WEIGHTS[target]
    if (left < 0) return target
  }
  throw new Error('the weights do not add up')
}

/** Chooses running processes to kill; null = none may be killed. `spared` are runs that need to make progress. */
export function findVictims(
  name: Target,
  seen: readonly OwnedProcess[],
  chance: SeededGenerator,
  spared: ReadonlySet<string>,
): KillTarget | null {
  const isAllowed = ({ kind, runId }: OwnedProcess) => kind !== 'runner' || !spared.has(runId ?? '')
  const one = (kind: Kind) => {
    const candidates = seen.filter((each) => each.kind === kind && isAllowed(each))
    return candidates[chance.nextBelow(Math.max(1, candidates.length))] ?? null
  }
  if (name === 'all') {
    const victims = seen.filter(({ kind }) => kind !== 'other')
    return victims.length > 0 ? { name, victims } : null
  }
  if (name !== 'two') {
    const victim = one(name)
    return victim && { name, victims: [victim] }
  }
  const kinds = KINDS.filter((kind) => one(kind) !== null)
  if (kinds.length < 2) return null
  const first = chance.nextBelow(kinds.length)
  const second = (first + 1 + chance.nextBelow(kinds.length - 1)) % kinds.length
  return { name, victims: [first, second].flatMap((place) => one(kinds[place] as Kind) ?? []) }
}

export type KillOptions = {
  times: number
  seed: number
  only: readonly Kind[]
  /** Seconds after which no further kill starts; 0 = no limit. */
  within: number
}

/** Parses the command line; returns a mistake as one sentence. `fallbackSeed` is the default seed. */
export function parseKillOptions(
  argv: readonly string[],
  fallbackSeed: number,
): KillOptions | string {
  const options = {
    times: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(fallbackSeed) },
    only: { type: 'string', default: '' },
    within: { type: 'string', default: '0' },
  } as const
  let values: { times: string; seed: string; only: string; within: string }
  try {
    values = parseArgs({ args: [...argv], options }).values
  } catch (error) {
    return (error as Error).message
  }
  if (!/^[1-9]\d{0,5}$/.test(values.times)) return '--times takes a whole number from 1'
  if (!/^\d{1,15}$/.test(values.seed)) return '--seed takes a whole number'
  if (!/^\d{1,6}$/.test(values.within)) return '--within takes seconds'
  const names = values.only.split(',').filter((name) => name !== '')
  const only = KINDS.filter((kind) => names.includes(kind))
  const unknown = names.find((name) => !KINDS.some((kind) => kind === name))
  if (unknown !== undefined) return `--only does not know ${unknown}: there are ${KINDS.join(', ')}`
  return {
    times: Number(values.times),
    seed: Number(values.seed),
    only,
    within: Number(values.within),
  }
}
