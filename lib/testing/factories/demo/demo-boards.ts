import type { Db, DbOrTx } from '#lib/db/db.ts'
import { appendEvaluation } from '#lib/db/evaluation-store.ts'
import { saveRegistration } from '#lib/db/plan-store.ts'
import { refreshBoard } from '#lib/db/refresh-board.ts'
import {
  episodeLine,
  includeNewRun,
  saveEpisodeLines,
  saveSubjects,
} from '#lib/db/results-store.ts'
import { saveRun } from '#lib/db/run-store.ts'
import { sealRun } from '#lib/db/seal-run.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { POLICY_VERSION } from '#lib/domain/eligibility/index.ts'
import { type Sender, THIS_SERVER } from '#lib/domain/ledger/index.ts'
import { type Episode, type EvidenceFile, isScored } from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { evidenceStore } from '#lib/server/evidence/configured-store.ts'
import { demoEvidence, demoRecording, demoTranscript, writeEvidence } from './demo-evidence.ts'
import { demoRun } from './demo-run.ts'
import {
  DEMO_BROWSER_ROWS,
  DEMO_ROWS,
  type DemoRow,
  demoBrowserSuite,
  demoSuite,
} from './demo-suites.ts'

const SENDER: Sender = {
  provenance: 'token',
  voucher: 'token demo',
  name: 'demo',
  bodyDigest: null,
}
const NOW = new Date('2026-11-03T00:00:00.000Z')
const SENT = { provenance: 'token', voucher: null, receivedAt: NOW, sender: SENDER } as const
/** Demo libraries are not shipped with Proofboard, so only this server could have measured them. */
const MEASURED_HERE = {
  provenance: 'local',
  voucher: null,
  receivedAt: NOW,
  sender: { provenance: 'local', voucher: THIS_SERVER, name: THIS_SERVER, bodyDigest: null },
} as const
const MAX_MS = 120_000

/**
 * Fills a database with the `demo` suite: a row of every badge and a row of an earlier version, or only the rows at
 * some positions. Transcripts are stored below `dataDir`; null = none.
 */
export async function seedDemo(
  db: Db,
  dataDir: string | null = null,
  only: readonly number[] | null = null,
): Promise<void> {
  const [earlier, current] = [demoSuite(1), demoSuite(2)]
  const rows = DEMO_ROWS.map((row, at): Place => [at, row, row.old ? earlier : current])
  await seed(db, [earlier, current], choose(rows, only), dataDir)
}

/**
 * Adds the `demo-browser` suite of libraries, or only the rows at some positions. Evidence files are stored below
 * `dataDir`.
 */
export async function seedBrowserDemo(
  db: Db,
  dataDir: string,
  only: readonly number[] | null = null,
): Promise<void> {
  const suite = demoBrowserSuite()
  const rows = DEMO_BROWSER_ROWS.map((row, at): Place => [DEMO_ROWS.length + at, row, suite])
  await seed(db, [suite], choose(rows, only), dataDir)
}

/** Adds a suite with a run for each of these rows. */
export function seedRows(db: Db, suite: Suite, rows: readonly DemoRow[]): Promise<void> {
  return seed(
    db,
    [suite],
    rows.map((row, at): Place => [at, row, suite]),
    null,
  )
}

const choose = (rows: readonly Place[], only: readonly number[] | null): readonly Place[] =>
  only === null ? rows : rows.filter((_, place) => only.includes(place))

/** `at` becomes part of the run id, so it must be unique. */
type Place = [at: number, row: DemoRow, suite: Suite]

async function seed(
  db: Db,
  suites: readonly Suite[],
  rows: readonly Place[],
  dataDir: string | null,
): Promise<void> {
  for (const suite of suites) await saveSuite(db, suite, NOW)
  for (const [at, row, suite] of rows) {
    const { runId, plan, episodes } = demoRun(row, at, suite)
    const origin = plan.subject.kind === 'library' ? MEASURED_HERE : SENT
    const { provenance, sender } = origin
    const registration = { planDigest: plan.planDigest, plan, sender, expected: 1 }
    const runs = [{ runId, shard: null }]
    await inTransaction(db, (tx) =>
      saveRegistration(tx, { ...registration, runs }, new Date(plan.frozenAt)),
    )
    await saveRun(db, { runId, plan, provenance, jobId: null }, NOW)
    await inTransaction(
      db,
      async (tx) => {
        await keepEpisodes(tx, { runId, episodes, origin }, dataDir)
        if (origin === SENT) for (const episode of episodes) await evaluate(tx, episode)
      },
      { timeout: MAX_MS },
    )
    await sealRun(db, runId, NOW)
  }
  for (const suite of suites) await refreshBoard(db, suite, NOW)
}

type DemoEpisodes = {
  runId: string
  episodes: readonly Episode[]
  origin: typeof SENT | typeof MEASURED_HERE
}

/** Stores a whole run at once: a transaction per episode would take a minute on a slow disk. */
async function keepEpisodes(
  tx: DbOrTx,
  { runId, episodes, origin }: DemoEpisodes,
  dataDir: string | null,
): Promise<void> {
  const lines = new Map(episodes.map((episode) => [episode.episodeId, episodeLine(episode)]))
  const directories = new Map<string, string>()
  for (const episode of episodes) {
    const files = dataDir === null ? [] : filesOf(episode)
    if (dataDir !== null && files.length > 0)
      directories.set(
        episode.episodeId,
        await writeEvidence(evidenceStore(dataDir), episode.episodeId, files),
      )
  }
  const [first] = episodes
  if (first) await saveSubjects(tx, [first.subject])
  await saveEpisodeLines(tx, lines, directories, origin)
  await includeNewRun(tx, runId, origin)
}

/** Evidence files of an episode: a browser's, or an agent's transcript if it has one. */
function filesOf({ browser, evidence, outcome, taskId, repetition, subject }: Episode) {
  const isSolved = outcome.status === 'solved'
  if (browser && evidence.length > 0)
    return demoEvidence({ isSolved, hasError: Boolean(browser.libraryError) })
  const has = (role: EvidenceFile['role']) => evidence.some((file) => file.role === role)
  if (!has('transcript')) return []
  const { name, modelRequested: model } = subject
  return [
    ...(has('gateway-recording') ? [demoRecording({ name, taskId, repetition })] : []),
    ...demoTranscript({ isSolved, taskId, model, name }),
  ]
}

/** Marks an episode as evaluated by this server; the demo's solutions are made up and cannot run. */
async function evaluate(db: DbOrTx, episode: Episode): Promise<void> {
  const { episodeId, seal, contract, outcome, environment } = episode
  if (!contract || !isScored(outcome.status)) return
  await appendEvaluation(db, {
    episodeId,
    seal,
    number: 1,
    at: NOW.toISOString(),
    reason: null,
    result: 'agreed',
    after: { status: outcome.status, verdict: contract.verdict },
    verifier: environment.verifier ?? null,
    modelEvidence: 'whole',
    policyVersion: POLICY_VERSION,
  })
}
