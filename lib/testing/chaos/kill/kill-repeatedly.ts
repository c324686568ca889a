import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../db/db.ts'
import { seededGenerator } from '../../../domain/statistics/index.ts'
import type { SeededGenerator } from '../../../domain/statistics/seeded-generator.ts'
import { attemptKey, listOpen } from './check-stored.ts'
import type { Feeder } from './feed-queue.ts'
import type { KillResult } from './print-table.ts'
import {
  drawTarget,
  findVictims,
  type KillOptions,
  type KillTarget,
  listTreeProcesses,
  type OwnedProcess,
} from './processes.ts'
import { requestPage, type TestEnvironment } from './system.ts'

const MIN_PAUSE_MS = 100
const MAX_PAUSE_MS = 1300
/** Kills without a new episode after which the test waits for one: without progress nothing can be lost. */
const PATIENCE = 6
const TOLD_EVERY = 25
const NEW_EPISODE_MS = 90_000
/** A runner that is killed three times without an episode is given up by design, so it is killed twice at most. */
const MAX_HITS = 2
/** Time to wait for a process of the drawn kind before another kind is drawn. */
const APPEARS_MS = 3000
const LOOK_MS = 50

/** Number of kills of a run's runner, and its stored episodes at the first. */
type Hits = Map<string, { times: number; episodes: number }>

type Field = { ground: TestEnvironment; db: Db; feeder: Feeder; recovery: RecoveryWatch }

/** Kills `times` times at moments drawn from the seed, while the queue stays full; resolves once all have recovered. */
export async function killRepeatedly(
  { times, seed, only, within }: KillOptions,
  field: Field,
): Promise<KillResult[]> {
  const chance = seededGenerator(seed)
  const hits: Hits = new Map()
  const blows: Promise<KillResult>[] = []
  let known = await field.db.episode.count()
  let idle = 0
  const deadline = within === 0 ? Number.POSITIVE_INFINITY : performance.now() + within * 1000
  while (blows.length < times && performance.now() < deadline) {
    await field.feeder.fill()
    await pause(MIN_PAUSE_MS + chance.nextBelow(MAX_PAUSE_MS - MIN_PAUSE_MS))
    const count = await field.db.episode.count()
    idle = count > known ? 0 : idle + 1
    await forgetHits(field.db, hits)
    if (idle > PATIENCE) idle = await waitForEpisode(field, count)
    known = await field.db.episode.count()
    const strike = await findStrike(field, only, chance, hits)
    blows.push(hit(strike, field, hits))
    if (blows.length % TOLD_EVERY === 0)
      process.stdout.write(`  ${blows.length} of ${times} killed\n`)
  }
  return Promise.all(blows)
}

async function findStrike(
  { ground, feeder }: Field,
  only: KillOptions['only'],
  chance: SeededGenerator,
  hits: Hits,
): Promise<KillTarget> {
  const spared = new Set(
    [...hits].flatMap(([runId, { times }]) => (times >= MAX_HITS ? runId : [])),
  )
  for (;;) {
    const target = drawTarget(only, chance)
    const deadline = performance.now() + APPEARS_MS
    while (performance.now() < deadline) {
      const strike = findVictims(target, listTreeProcesses(ground.root), chance, spared)
      if (strike) return strike
      await feeder.fill()
      await pause(LOOK_MS)
    }
  }
}

async function hit(strike: KillTarget, field: Field, hits: Hits): Promise<KillResult> {
  const { name, victims } = strike
  const open = listOpen(field.ground.dataDir).map(attemptKey)
  for (const { pid } of victims) kill(pid)
  for (const runId of runsOf(victims)) {
    const earlier = hits.get(runId)
    const episodes = earlier?.episodes ?? (await field.db.episode.count({ where: { runId } }))
    hits.set(runId, { times: (earlier?.times ?? 0) + 1, episodes })
  }
  const watched = victims.filter(isReplaced)
  return { name, open, recoveredMs: await field.recovery.watch(watched) }
}

/** A run that has stored an episode since may be killed again. */
async function forgetHits(db: Db, hits: Hits): Promise<void> {
  for (const [runId, { episodes }] of [...hits])
    if ((await db.episode.count({ where: { runId } })) > episodes) hits.delete(runId)
}

const runsOf = (victims: readonly OwnedProcess[]) =>
  victims.flatMap(({ kind, runId }) => (kind === 'runner' && runId !== null ? runId : []))

/** A runner that only listed suites is restarted at the next boot; all others resume. */
const isReplaced = ({ kind, runId }: OwnedProcess) => kind !== 'runner' || runId !== null

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has exited meanwhile.
  }
}

async function waitForEpisode({ db, feeder }: Field, count: number): Promise<number> {
  const deadline = performance.now() + NEW_EPISODE_MS
  while ((await db.episode.count()) <= count && performance.now() < deadline) {
    await feeder.fill()
    await pause(LOOK_MS)
  }
  return 0
}

const RECOVERY_LOOK_MS = 100
const MAX_MS = 120_000
const ANSWER_MS = 5000

type Watched = {
  victims: OwnedProcess[]
  at: number
  since: Date
  done: (ms: number | null) => void
}

/** Checks ten times a second whether each victim has been replaced, and reports after how many ms. */
export class RecoveryWatch {
  readonly #root: string
  readonly #url: string
  readonly #db: Db
  #watched: Watched[] = []

  constructor(root: string, url: string, db: Db) {
    this.#root = root
    this.#url = url
    this.#db = db
  }

  /** Milliseconds until all of `victims` are replaced; null = not within two minutes. */
  watch(victims: readonly OwnedProcess[]): Promise<number | null> {
    return new Promise((done) => {
      this.#watched.push({ victims: [...victims], at: performance.now(), since: new Date(), done })
    })
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const seen = listTreeProcesses(this.#root)
      for (const one of [...this.#watched]) await this.#look(one, seen)
      await pause(RECOVERY_LOOK_MS, undefined, { signal }).catch(() => {})
    }
  }

  async #look(one: Watched, seen: readonly OwnedProcess[]): Promise<void> {
    const open: OwnedProcess[] = []
    for (const victim of one.victims) {
      if (!(await this.#isMadeUpFor(victim, one.since, seen))) open.push(victim)
    }
    one.victims = open
    const ms = performance.now() - one.at
    if (open.length > 0 && ms < MAX_MS) return
    this.#watched = this.#watched.filter((other) => other !== one)
    one.done(open.length > 0 ? null : ms)
  }

  async #isMadeUpFor(
    victim: OwnedProcess,
    at: Date,
    seen: readonly OwnedProcess[],
  ): Promise<boolean> {
    const others = seen.filter(({ kind, pid }) => kind === victim.kind && pid !== victim.pid)
    switch (victim.kind) {
      case 'web':
        return others.length > 0 && (await this.#answers())
      case 'supervisor':
        return others.length > 0 && (await this.#answers()) && (await this.#beats(at, seen))
      case 'worker':
        return this.#beats(at, seen)
      case 'runner':
        return victim.runId === null || this.#movesOn(victim.runId, others)
      case 'guard':
        return this.#movesOn(victim.runId ?? '', others)
      default:
        return this.#isKept(victim.episodeId)
    }
  }

  async #answers(): Promise<boolean> {
    return (await requestPage(`${this.#url}/api/v1/health`, ANSWER_MS))?.status === 200
  }

  /** True if a worker has sent a heartbeat since. */
  async #beats(at: Date, seen: readonly OwnedProcess[]): Promise<boolean> {
    const workers = await this.#db.worker.findMany({ where: { heartbeatAt: { gt: at } } })
    return workers.some(({ pid }) => seen.some((one) => one.pid === pid))
  }

  /** True if a process of the same kind works for the run again, or the run has ended. */
  async #movesOn(runId: string, others: readonly OwnedProcess[]): Promise<boolean> {
    if (others.some((other) => other.runId === runId)) return true
    const job = await this.#db.job.findFirst({ where: { newRunId: runId } })
    return job !== null && !['queued', 'running'].includes(job.status)
  }

  /** True if the attempt whose process was killed is sealed and stored. */
  async #isKept(episodeId: string | null): Promise<boolean> {
    if (episodeId === null) return true
    return (await this.#db.episode.count({ where: { episodeId } })) > 0
  }
}
