import type { Db, DbOrTx } from '../../db/db.ts'
import { migrate } from '../../db/migrate.ts'
import { openDb } from '../../db/open-db.ts'
import { registerLocalRun } from '../../db/plan-store.ts'
import {
  includeNewRun,
  saveEpisodeLines,
  saveNewRun,
  saveSubjects,
} from '../../db/results-store.ts'
import { saveEpisode } from '../../db/save-episode.ts'
import { subjectId } from '../../db/subject-store.ts'
import { saveSuite } from '../../db/suite-store.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { PlannedRun } from '../../domain/board/index.ts'
import { type Digest, digestBytes } from '../../domain/digest/index.ts'
import type { EpisodeFact, Plan } from '../../domain/record/index.ts'
import { seededGenerator } from '../../domain/statistics/index.ts'
import { digestSuite, PROTOCOL_VERSION, type Suite } from '../../domain/tasks/index.ts'
import { SAMPLE_AGENT, sampleBoardSuite, sampleRun } from '../factories/sample-run.ts'
import { sampleEpisode } from '../factories/samples.ts'
import { MIGRATIONS_DIR, saveSampleRun } from '../factories/temporary-database.ts'
import { insertEpisodes, type Template, type TemplateCopy } from './scale-insert.ts'

const ROWS = 200
const TASKS = 25
/** Repetitions of each of the 25 tasks of a run. */
const REPETITIONS = 20
const NOW = new Date('2026-11-22T00:00:00.000Z')
/** Registered before the first episode; otherwise no entry would be ranked. */
const REGISTERED = new Date('2026-11-01T00:30:00.000Z')
const ORIGIN = { provenance: 'local', voucher: null, receivedAt: NOW } as const

/** Fills an envelope to a realistic size, which is mostly assertions. */
const PADDING = 'assertion '.repeat(250)

/** The suite of the measurements. */
export function scaleSuite(): Suite {
  const { tasks, ...sample } = sampleBoardSuite(TASKS)
  const suite = {
    ...sample,
    suiteId: 'scale',
    kind: 'exercise' as const,
    version: '1.0.0',
    protocolVersion: PROTOCOL_VERSION,
    source: null,
    tasks,
  }
  return { ...suite, digest: digestSuite(tasks) }
}

/** Makes a database with this number of generated episodes of 200 agents, spread evenly over agents, tasks and runs. */
export async function makeScaleData(file: string, episodes: number): Promise<void> {
  migrate(file, MIGRATIONS_DIR)
  const db = openDb(file)
  const suite = scaleSuite()
  await saveSuite(db, suite, NOW)
  const repetitions = Math.max(1, Math.round(episodes / (ROWS * TASKS)))
  const chance = seededGenerator(7)
  const copies: TemplateCopy[] = []
  for (let row = 0; row < ROWS; row++) {
    const skill = chance.nextUnit()
    for (let done = 0; done < repetitions; done += REPETITIONS) {
      const count = Math.min(REPETITIONS, repetitions - done)
      const wanted = { row, name: `${row}x${done / REPETITIONS}`, repetitions: count }
      const { run } = sampleScaleRun(suite, { ...wanted, isSolved: () => true })
      await inTransaction(db, (tx) => saveRunWithoutEpisodes(tx, run))
      copies.push({ row, skill, repetitions: count, run })
    }
  }
  await db.$disconnect()
  insertEpisodes(file, templateFacts(suite), copies)
  await saveWholeEpisode(file)
}

/** The only episode with a realistic envelope and page; the other envelopes are filled with padding. */
export const WHOLE_EPISODE = sampleEpisode()

async function saveWholeEpisode(file: string): Promise<void> {
  const db = openDb(file)
  await saveSampleRun(db)
  const receipt = { provenance: 'local', directory: null, receivedAt: NOW } as const
  await saveEpisode(db, JSON.stringify(WHOLE_EPISODE), receipt)
  await db.$disconnect()
}

type ScaleRun = { row: number; name: string; repetitions: number; isSolved: () => boolean }

/**
 * Stores one more run of an agent, without episodes, as a run of this machine. Each call of the returned function
 * stores the next episode.
 */
export async function startScaleRun(
  db: Db,
  suite: Suite,
  wanted: ScaleRun,
): Promise<() => Promise<void>> {
  const { run, facts } = sampleScaleRun(suite, wanted)
  await inTransaction(db, (tx) => saveRunWithoutEpisodes(tx, run))
  const left = facts.values()
  return async () => {
    const { value: fact } = left.next()
    if (fact === undefined) throw new Error('the run has no more episodes')
    const lines = new Map([[fact.episodeId, lineOf(fact, run.plan)]])
    await inTransaction(db, (tx) => saveEpisodeLines(tx, lines, new Map(), ORIGIN))
  }
}

async function saveRunWithoutEpisodes(
  tx: DbOrTx,
  { runId, plan }: PlannedRun & { plan: Plan },
): Promise<void> {
  await saveSubjects(tx, [plan.subject])
  await saveNewRun(tx, { runId, plan, shard: null }, ORIGIN)
  await registerLocalRun(tx, { runId, plan, shard: undefined, by: 'bench' }, REGISTERED)
  await includeNewRun(tx, runId, ORIGIN)
}

function sampleScaleRun(suite: Suite, { row, name, repetitions, isSolved }: ScaleRun) {
  return sampleRun({
    suite,
    repetitions,
    runId: `run_scale${name.replace(/\W/g, '').padStart(8, '0')}`,
    subject: { ...SAMPLE_AGENT, name: `agent-${row}` },
    status: () => (isSolved() ? 'solved' : 'unsolved'),
    change: (fact) => ({
      origin: originOf(fact.episodeId),
      ...(fact.status === 'solved' && { agentExit: 'ok' as const }),
      tokens: 900 + row,
      costMicroUsd: 2000 + row,
    }),
  })
}

function originOf(episodeId: string): NonNullable<EpisodeFact['origin']> {
  return {
    harness: { version: '0.1.0', commit: 'a'.repeat(40) },
    machine: {
      system: 'linux x64',
      kernel: '6.1.0',
      runtime: 'node v20.20.2',
      isolation: 'bubblewrap',
    },
    tests: null,
    marks: [`used:${episodeId}`, `log:${episodeId}`],
  }
}

function lineOf({ provenance: _, ...fact }: EpisodeFact, plan: Plan): string {
  const seal: Digest = digestBytes(fact.episodeId)
  const envelope = { episodeId: fact.episodeId, seal, subject: fact.subject, padding: PADDING }
  return JSON.stringify({
    ...fact,
    subjectId: subjectId(plan.subject),
    envelope: JSON.stringify(envelope),
    fact: JSON.stringify(fact),
    seal,
  })
}

/** A run's episodes, each as solved and as unsolved, from which the database makes all others. */
function templateFacts(suite: Suite): Template {
  const wanted = { row: 0, name: 'template', repetitions: REPETITIONS }
  const solved = sampleScaleRun(suite, { ...wanted, isSolved: () => true })
  const unsolved = sampleScaleRun(suite, { ...wanted, isSolved: () => false })
  const pairs = solved.facts.map((fact, index) => [fact, unsolved.facts[index] ?? fact] as const)
  return { run: solved.run, pairs, padding: PADDING }
}
