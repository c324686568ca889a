import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import {
  ARCHIVE_KIND,
  type Archive,
  EVALUATIONS_FILE,
  EXPORTED_REGRADES,
  type Manifest,
  manifestSchema,
  rebuildBoard,
  serializeLedger,
} from '#lib/domain/archive/index.ts'
import { serializeBoard } from '#lib/domain/board/index.ts'
import { canonicalJson, digestBytes } from '#lib/domain/digest/index.ts'
import { describeHead, type LedgerEntry } from '#lib/domain/ledger/index.ts'
import {
  type AnyBundle,
  BUNDLE_KIND,
  type Environment,
  type Evaluation,
  environmentSchema,
  groupBy,
  isFrozen,
  type SubmittedRun,
} from '#lib/domain/record/index.ts'
import { AppError } from '#lib/errors.ts'
import {
  copyEvidence,
  type EvidenceOfRuns,
  EXPORT_MANIFEST,
  listServerEvidence,
} from './archive-evidence.ts'
import { draftOf } from './draft-folder.ts'
import { HEAD_FILE, signHead } from './ledger-heads.ts'
import { listTarget } from './list-files.ts'
import { readServer } from './read-server.ts'

export type ExportSummary = { to: string; files: number; bytes: number; runs: number }

/**
 * Writes everything that the published numbers depend on into a new folder, completely or not at all. Throws for a
 * server with invalid content, and for a target that is not empty.
 */
export async function exportArchive(
  dataDir: string,
  to: string,
  { withEvidence = false } = {},
): Promise<ExportSummary> {
  const target = resolve(to)
  if (listTarget(target, '--to').length > 0) {
    const message = `${target} is not empty: nothing was written; choose another --to`
    throw new AppError('conflict', message)
  }
  const server = await readServer(dataDir)
  const { archive, flaws } = server
  if (flaws[0]) {
    const message = `nothing was exported: ${flaws[0].place}: ${flaws[0].problem}; see proofboard server ledger verify`
    throw new AppError('conflict', message)
  }
  const evidence = await listServerEvidence(server)
  const files = listFiles(archive, dataDir, evidence)
  const listed = files.map(([path, text]) => {
    return { path, digest: digestBytes(text), bytes: Buffer.byteLength(text) }
  })
  const manifest: Manifest = manifestSchema.parse({
    kind: ARCHIVE_KIND,
    schemaVersion: 1,
    currentSuites: Object.fromEntries(archive.current),
    files: listed,
  })
  await writeWhole(
    target,
    [...files, [EXPORT_MANIFEST, canonicalJson(manifest)]],
    async (draft) => {
      if (withEvidence) await copyEvidence(server, draft)
    },
  )
  const bytes = listed.reduce((sum, file) => sum + file.bytes, 0)
  const runs = archive.runs.filter(hasEpisodes).length
  return { to: target, files: listed.length + 1, bytes, runs }
}

type File = readonly [path: string, text: string]

function listFiles(archive: Archive, dataDir: string, evidence: EvidenceOfRuns): File[] {
  const { suites, current, runs, entries } = archive
  const evaluations = groupEvaluations(archive)
  return [
    ...suites.map((suite): File => [`suites/${hex(suite.digest)}.json`, canonicalJson(suite)]),
    ...runs
      .filter(hasEpisodes)
      .flatMap((run): File[] => [
        [`runs/${run.runId}/result.json`, canonicalJson(describeRun(run, dataDir))],
        [`runs/${run.runId}/evidence.json`, canonicalJson(evidence.get(run.runId) ?? [])],
        ...listRegrades(run.runId, archive),
        ...listEvaluations(run.runId, evaluations),
      ]),
    ['ledger.json', serializeLedger(entries ?? [])],
    ...listHead(entries ?? [], dataDir),
    ...suites
      .filter(({ suiteId, digest }) => current.get(suiteId) === digest)
      .map((suite): File => {
        const board = serializeBoard(rebuildBoard(archive, suite))
        return [`leaderboard/${suite.suiteId}.json`, board]
      }),
  ]
}

/** Returns the signed head with the public key; none when the ledger is empty. */
function listHead(entries: readonly LedgerEntry[], dataDir: string): File[] {
  const last = entries.at(-1)
  if (!last) return []
  return [[HEAD_FILE, canonicalJson(signHead(describeHead(last, null), dataDir))]]
}

/** Returns whether a run has episodes: one without counts nowhere. */
function hasEpisodes({ episodes }: SubmittedRun): boolean {
  return episodes.length > 0
}

function describeRun({ runId, plan, shard, episodes }: SubmittedRun, dataDir: string): AnyBundle {
  const [first] = episodes
  if (!first) throw new Error(`${runId} has no episode`)
  return {
    kind: BUNDLE_KIND,
    schemaVersion: plan.schemaVersion,
    runId,
    plan,
    lock: isFrozen(plan) ? (readLock(join(dataDir, 'runs', runId)) ?? first.environment) : null,
    shard: shard ?? { index: 1, count: 1 },
    episodes: [...episodes],
  }
}

/** Reads the environment that the runner resolved before the first episode, if the run folder still has it. */
function readLock(folder: string): Environment | null {
  const lock =
    readJson(join(folder, 'lock.json')) ??
    resultSchema.safeParse(readJson(join(folder, 'result.json'))).data?.lock
  return environmentSchema.safeParse(lock).data ?? null
}

const resultSchema = z.object({ lock: z.unknown() })

/** Null = the file does not exist or is not JSON. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** Lists the results of regrading, agreeing or not; none without regrades. */
function listRegrades(runId: string, { regrades }: Archive): File[] {
  const lines = regrades?.get(runId)
  return lines ? [[`runs/${runId}/${EXPORTED_REGRADES}`, canonicalJson(lines)]] : []
}

/** Groups evaluations of this server by run id, for the files beside uploaded episodes. */
function groupEvaluations({ runs, evaluations = [] }: Archive): Map<string, Evaluation[]> {
  const runOf = new Map(
    runs.flatMap(({ runId, episodes }) =>
      episodes.map(({ episodeId }) => [episodeId, runId] as const),
    ),
  )
  return groupBy(evaluations, ({ episodeId }) => runOf.get(episodeId) ?? '')
}

function listEvaluations(runId: string, all: ReadonlyMap<string, Evaluation[]>): File[] {
  const own = all.get(runId)
  return own ? [[`runs/${runId}/${EVALUATIONS_FILE}`, canonicalJson(own)]] : []
}

function hex(digest: string): string {
  return digest.slice('sha256:'.length)
}

async function writeWhole(
  target: string,
  files: readonly File[],
  addMore: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = draftOf(target)
  try {
    for (const [path, text] of files) {
      const file = join(draft, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text, { flush: true })
    }
    await addMore(draft)
    renameSync(draft, target)
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true })
    const { message } = cause as Error
    throw new AppError('invalid-request', `nothing was exported: ${message}`, { cause })
  }
}
