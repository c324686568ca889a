import { readFileSync } from 'node:fs'
import { z } from 'zod'
import {
  type Atif,
  atifSchema,
  formatMismatch,
  fromHarbor,
  type HarborJob,
  type HarborTrial,
  harborTrialSchema,
  nameGroup,
} from '#lib/domain/formats/index.ts'
import { canonicalJson, digestJson, type EvidenceFile } from '#lib/domain/record/index.ts'
import { AppError } from '#lib/errors.ts'
import type { Format } from '../format.ts'
import { asEvidence, reportedToRun, type StagingFolder } from '../format.ts'
import { readDocument } from '../json/parse-strict-json.ts'
import type { ArchiveFiles, StoredFile } from '../unpack-archive.ts'

const TITLE = 'a job folder of Harbor'
const RESULT = /^(.*\/)?result\.json$/
/** Read to recognise an archive: a job of a thousand trials need not be read twice. */
const MOST_LOOKED_AT = 5
const MOST_REWARD_BYTES = 100
/** Files of a trial besides its result, and their roles. */
const STORED_FILES: readonly (readonly [string, EvidenceFile['role']])[] = [
  ['verifier/reward.txt', 'source-record'],
  ['verifier/reward.json', 'source-record'],
  ['verifier/ctrf.json', 'source-record'],
  ['verifier/test-stdout.txt', 'gate-log'],
  ['agent/trajectory.json', 'source-record'],
]

/** A job of Harbor, packed: its trials, each a folder with a result. */
export const harborFormat: Format = {
  id: 'harbor',
  title: TITLE,
  detect: (content) =>
    content.kind === 'archive' &&
    listResults(content.files)
      .slice(0, MOST_LOOKED_AT)
      .some(([path, file]) => isHarbor(path, file)),
  async *toRuns(content, staging) {
    if (content.kind !== 'archive') return
    const { job, trials, files } = await readJob(content.files, staging)
    if (trials.length === 0) throw refuse('none of its folders has the result.json of a trial')
    const groups = new Map<string, HarborTrial[]>()
    for (const one of trials) {
      const key = JSON.stringify(nameGroup(one.trial))
      groups.set(key, [...(groups.get(key) ?? []), one])
    }
    for (const group of groups.values()) {
      const run = fromHarbor(job, group)
      if (!run.ok) throw refuse(run.problems[0]?.message ?? 'it cannot be read')
      yield reportedToRun('', run.value, files)
    }
  },
}

function listResults(files: ArchiveFiles): [string, StoredFile][] {
  return [...files].filter(([path]) => RESULT.test(path)).sort(([a], [b]) => (a < b ? -1 : 1))
}

function isHarbor(path: string, file: StoredFile): boolean {
  try {
    const document = readDocument(path, file)
    return document.has('trial_name') || document.has('n_total_trials')
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

type Job = { job: HarborJob; trials: HarborTrial[]; files: Map<EvidenceFile, StoredFile> }

async function readJob(all: ArchiveFiles, staging: StagingFolder): Promise<Job> {
  const files = new Map<EvidenceFile, StoredFile>()
  const trials: HarborTrial[] = []
  let job: HarborJob = { id: null, versions: new Map() }
  for (const [path, file] of listResults(all)) {
    const document = readDocument(path, file)
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    if (document.has('trial_name'))
      trials.push(
        await readTrial({ path, folder, said: document.readWhole(), all, staging, files }),
      )
    else if (document.has('n_total_trials'))
      job = readJobFile(document.member('id'), all.get(`${folder}config.json`))
  }
  return { job, trials, files }
}

const configSchema = z.object({
  datasets: z.array(z.object({ name: z.string(), version: z.string().nullish() })).nullish(),
})

function readJobFile(id: unknown, config: StoredFile | undefined): HarborJob {
  const parsed = config && configSchema.safeParse(readDocument('config.json', config).readWhole())
  const datasets = parsed?.success ? (parsed.data.datasets ?? []) : []
  const versions = datasets.flatMap(({ name, version }) =>
    version ? [[name, version] as const] : [],
  )
  return { id: typeof id === 'string' ? id : null, versions: new Map(versions) }
}

type Place = {
  path: string
  folder: string
  said: unknown
  all: ArchiveFiles
  staging: StagingFolder
  files: Map<EvidenceFile, StoredFile>
}

async function readTrial({ path, folder, said, all, staging, files }: Place): Promise<HarborTrial> {
  const parsed = harborTrialSchema.safeParse(said)
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [path, ...issue.path] }))
    throw new AppError('invalid-episode', formatMismatch(TITLE, issues))
  }
  const keep = (stored: StoredFile, role: EvidenceFile['role'], name: string) => {
    const named = asEvidence(stored, role, name)
    files.set(named, stored)
    return named
  }
  const beside = STORED_FILES.flatMap(([name, role]) => {
    const stored = all.get(`${folder}${name}`)
    return stored ? [keep(stored, role, name)] : []
  })
  const result = await staging.keepText(withoutConfig(said))
  return {
    trial: parsed.data,
    reward: readReward(all.get(`${folder}verifier/reward.txt`)),
    trajectory: readTrajectory(all.get(`${folder}agent/trajectory.json`)),
    recordDigest: digestJson(said),
    evidence: [keep(result, 'source-record', 'result.json'), ...beside],
  }
}

/** The configuration of a trial may hold the agent's keys, and evidence is public: it is left out. */
function withoutConfig(said: unknown): string {
  const { config: _, ...rest } = said as Record<string, unknown>
  return canonicalJson(rest)
}

function readReward(file: StoredFile | undefined): number | null {
  if (!file || file.sizeBytes > MOST_REWARD_BYTES) return null
  const text = readFileSync(file.file, 'utf8').trim()
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
}

/** A trajectory that cannot be read counts nothing: it is evidence all the same. */
function readTrajectory(file: StoredFile | undefined): Atif | null {
  if (!file) return null
  try {
    return (
      atifSchema.safeParse(readDocument('agent/trajectory.json', file).readWhole()).data ?? null
    )
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function refuse(why: string): AppError {
  return new AppError('invalid-episode', `this is ${TITLE}, but ${why}`)
}
