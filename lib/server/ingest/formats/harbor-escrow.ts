import { readFileSync } from 'node:fs'
import { z } from 'zod'
import {
  buildEscrowed,
  checkEscrow,
  type EscrowJob,
  type EscrowPlan,
  type EscrowTrial,
  escrowAtifSchema,
  escrowJobSchema,
  escrowLockSchema,
  escrowTrialSchema,
} from '#lib/domain/formats/index.ts'
import {
  type EvidenceFile,
  isRunId,
  planSchema,
  relativePathSchema,
  WORKSPACE_FILE,
} from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { AppError } from '#lib/errors.ts'
import { asEvidence, type IncomingRun, type StagingFolder } from '../format.ts'
import { readDocument } from '../json/json-document.ts'
import type { ArchiveFiles, StoredFile } from '../unpack-archive.ts'
import { parseHarbor, readTrial, refuse } from './harbor-trials.ts'

/** The final state of one attempt, as files and bytes. */
const MAX_STATE_FILES = 5000
const MAX_STATE_BYTES = 32 << 20

/**
 * Reads a job folder that contains the plan it was registered with: every planned slot, each with its final state.
 * Null = it contains no plan. Throws an AppError with the code of the first contradiction.
 */
export async function readEscrow(
  all: ArchiveFiles,
  staging: StagingFolder,
): Promise<IncomingRun | null> {
  const folder = findJobFolder(all)
  if (folder === null) return null
  const plan = readEscrowPlan(all, folder)
  const files = new Map<EvidenceFile, StoredFile>()
  const job = await readJob({ folder, plan, all, staging, files })
  const runId = jobNameOf(job.config)
  if (!isRunId(runId))
    throw refuseEscrow('job-name', 'its job_name is not the run id of its registration')
  const [first, ...more] = checkEscrow(job, plan, runId)
  if (first)
    throw refuseEscrow(
      first.code,
      first.message,
      more.map(({ code }) => code),
    )
  const built = buildEscrowed(job, plan, runId)
  if (!built.ok) throw refuseEscrow('reward', built.problems[0]?.message ?? 'it cannot be judged')
  const stored = new Map(
    built.value.flatMap(({ taskId, repetition, evidence }) =>
      evidence.map((one) => [`${taskId}/${repetition}/${one.path}`, files.get(one)] as const),
    ),
  )
  return {
    path: '',
    runId,
    plan,
    shard: null,
    rest: null,
    envelopes: built.value.map(({ name, seal }) => ({ path: name, read: seal, slot: null })),
    findEvidence: ({ taskId, repetition }, path) => stored.get(`${taskId}/${repetition}/${path}`),
    escrowedAt: job.job.started_at,
    notes: ['In escrow: its verifiers run again here from the final states before it is ranked.'],
  }
}

function refuseEscrow(code: string, message: string, more: readonly string[] = []): AppError {
  const others = [...new Set(more)].slice(0, 10).join(', ')
  const rest =
    more.length > 0 ? ` (and ${countOf(more.length, 'more contradiction')}: ${others})` : ''
  return new AppError('invalid-episode', `this job is refused (${code}): ${message}${rest}`)
}

/** The folder with a plan beside a job's result; the outermost of several. */
function findJobFolder(all: ArchiveFiles): string | null {
  const folders = [...all.keys()]
    .filter((path) => /^([^/]+\/)?plan\.json$/.test(path))
    .map((path) => path.slice(0, -'plan.json'.length))
    .filter((folder) => all.has(`${folder}result.json`) && all.has(`${folder}config.json`))
  return folders.sort((a, b) => a.length - b.length)[0] ?? null
}

function readEscrowPlan(all: ArchiveFiles, folder: string): EscrowPlan {
  const parsed = planSchema.safeParse(readMember(all, `${folder}plan.json`))
  const { escrow } = parsed.data ?? {}
  if (parsed.success && escrow) return { ...parsed.data, escrow }
  throw refuse('its plan.json is not a plan for Harbor (proofboard plan --escrow)')
}

function readMember(all: ArchiveFiles, path: string): unknown {
  const file = all.get(path)
  return file && readDocument(path, file, { isLoose: true }).read()
}

function parseMember<T>(schema: z.ZodType<T>, all: ArchiveFiles, path: string): T {
  return parseHarbor(schema, path, readMember(all, path))
}

const jobNameSchema = z.object({ job_name: z.string().max(200) })

function jobNameOf(config: unknown): string {
  return jobNameSchema.safeParse(config).data?.job_name ?? ''
}

type Reading = {
  folder: string
  plan: EscrowPlan
  all: ArchiveFiles
  staging: StagingFolder
  files: Map<EvidenceFile, StoredFile>
}

async function readJob(reading: Reading): Promise<EscrowJob> {
  const { folder, all } = reading
  const trials: EscrowTrial[] = []
  for (const [trial, own] of filesByTrial(reading))
    if (own.has('result.json')) trials.push(await readOne(trial, own, reading))
  return {
    config: readMember(all, `${folder}config.json`),
    job: parseMember(escrowJobSchema, all, `${folder}result.json`),
    lock: parseMember(escrowLockSchema, all, `${folder}lock.json`),
    trials,
  }
}

/** The files below each folder of the job, by path in that folder. An archive may have tens of thousands. */
function filesByTrial({ folder, all }: Reading): [folder: string, files: ArchiveFiles][] {
  const found = new Map<string, Map<string, StoredFile>>()
  for (const [path, file] of all) {
    const end = path.startsWith(folder) ? path.indexOf('/', folder.length) + 1 : 0
    if (end === 0) continue
    const trial = path.slice(0, end)
    const own = found.get(trial) ?? new Map<string, StoredFile>()
    found.set(trial, own.set(path.slice(end), file))
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1))
}

async function readOne(folder: string, own: ArchiveFiles, reading: Reading): Promise<EscrowTrial> {
  const { all, staging, files } = reading
  const path = `${folder}result.json`
  const record = readMember(all, path)
  const trial = parseHarbor(escrowTrialSchema, path, record)
  const read = await readTrial({ path, folder, record, all, staging, files })
  const keep = async (text: string, role: EvidenceFile['role'], name: string) => {
    const stored = await staging.keepText(text)
    const named = asEvidence(stored, role, name)
    files.set(named, stored)
    return named
  }
  const state = listState({ folder, own }, trial.task_name, reading)
  // Every file of the trial is under the seal, also those that are not stored because they may contain keys.
  const list = [...own].map(([name, { digest }]) => [name, digest])
  const evidence = [
    ...read.evidence.map((one) => asLog(one, files)),
    await keep(`${JSON.stringify(list, null, 1)}\n`, 'source-record', 'files.json'),
    await keep(writeState(state ?? []), 'solution', WORKSPACE_FILE),
  ]
  const trajectory = escrowAtifSchema.safeParse(readMember(all, `${folder}${TRAJECTORY}`))
  return {
    ...read,
    trial,
    reward: read.reward ?? readRewardJson(readMember(all, `${folder}verifier/reward.json`)),
    trajectory: trajectory.data ?? null,
    trajectoryDigest: own.get(TRAJECTORY)?.digest ?? null,
    config: readMember(all, `${folder}config.json`) ?? null,
    state:
      state?.map(({ path: name, file }) => ({
        path: name,
        executable: file.isExecutable === true,
        digest: file.digest,
      })) ?? null,
    evidence,
  }
}

const TRAJECTORY = 'agent/trajectory.json'

/** The trajectory is the agent's own log, by which copies are found. */
function asLog(one: EvidenceFile, files: Map<EvidenceFile, StoredFile>): EvidenceFile {
  const file = files.get(one)
  if (one.path !== TRAJECTORY || !file) return one
  const named = asEvidence(file, 'subject-log', TRAJECTORY)
  files.set(named, file)
  return named
}

function readRewardJson(input: unknown): number | null {
  const parsed = z.object({ reward: z.number() }).safeParse(input)
  return parsed.data?.reward ?? null
}

const manifestSchema = z
  .array(z.object({ source: z.string(), destination: z.string(), status: z.string() }))
  .max(1000)

type State = { path: string; file: StoredFile }[]

/** The files of the task's folder when the agent had ended; null = they were not collected. */
function listState(
  { folder, own }: { folder: string; own: ArchiveFiles },
  task: string,
  { all, plan }: Reading,
): State | null {
  const planned = Object.values(plan.escrow.tasks).find(({ name }) => name === task)
  const manifest = manifestSchema.safeParse(readMember(all, `${folder}artifacts/manifest.json`))
  const entry = manifest.data?.find(({ source }) => source === planned?.workdir)
  if (entry === undefined || !['ok', 'empty'].includes(entry.status)) return null
  const below = relativePathSchema.safeParse(entry.destination.replace(/\/$/, ''))
  if (!below.success) return null
  const start = `${below.data}/`
  const found = [...own].flatMap(([name, file]) =>
    name.startsWith(start) ? [{ path: name.slice(start.length), file }] : [],
  )
  const state = found.filter(({ path }) => !path.split('/').includes('.git'))
  const bytes = state.reduce((sum, { file }) => sum + file.sizeBytes, 0)
  if (state.length > MAX_STATE_FILES || bytes > MAX_STATE_BYTES)
    throw refuseEscrow(
      'final-state-size',
      `${folder} has a final state of more than ${MAX_STATE_FILES} files or ${MAX_STATE_BYTES >> 20} MiB`,
    )
  return state
}

/** Writes a state in the form of a patch that adds every file. */
function writeState(state: State): string {
  const list = state
    .map(({ path, file }) => {
      const bytes = readFileSync(file.file)
      const text = bytes.toString('utf8')
      const isText = Buffer.from(text).equals(bytes)
      const content = isText ? { text } : { base64: bytes.toString('base64') }
      return { path, executable: file.isExecutable === true, ...content }
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  return `${JSON.stringify(list)}\n`
}
