import { z } from 'zod'
import {
  fromHarbor,
  type HarborJob,
  type HarborTrial,
  nameGroup,
  type ReportedRun,
} from '#lib/domain/formats/index.ts'
import type { EvidenceFile } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { AppError } from '#lib/errors.ts'
import type { Format } from '../format.ts'
import { reportedToRun, type StagingFolder } from '../format.ts'
import { type JsonDocument, readDocument } from '../json/json-document.ts'
import type { ArchiveFiles, StoredFile } from '../unpack-archive.ts'
import { readEscrow } from './harbor-escrow.ts'
import { readTrajectory, readTrial, refuse, TITLE } from './harbor-trials.ts'

const RESULT = /^(.*\/)?result\.json$/
/** Trials read to recognise an archive, so that a job of a thousand trials is not read twice. */
const MAX_LOOKED_AT = 5

/** A packed Harbor job: its trials, each a folder with a result. */
export const harborFormat: Format = {
  id: 'harbor',
  title: TITLE,
  detect: (content) =>
    content.kind === 'archive' &&
    listResults(content.files)
      .slice(0, MAX_LOOKED_AT)
      .some(([path, file]) => isHarbor(path, file)),
  async *toRuns(content, staging) {
    if (content.kind !== 'archive') return
    const escrow = await readEscrow(content.files, staging)
    if (escrow !== null) {
      yield escrow
      return
    }
    const { jobs, files } = await readJobs(content.files, staging)
    if (jobs.length === 0) throw refuse('none of its folders has the result.json of a trial')
    const scorer = staging.details.scorer ?? null
    for (const { job, trials } of jobs)
      for (const group of groupTrials(trials)) {
        const run = fromHarbor(job, group, scorer)
        if (!run.ok) throw refuse(run.problems[0]?.message ?? 'it cannot be read')
        yield reportedToRun('', run.value, files, noteUnrewarded(run.value))
      }
  },
}

function groupTrials(trials: readonly HarborTrial[]): HarborTrial[][] {
  const groups = new Map<string, HarborTrial[]>()
  for (const one of trials) {
    const key = JSON.stringify(nameGroup(one.trial))
    const group = groups.get(key) ?? []
    group.push(one)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Notes trials without a reward: Harbor's own mean counts them as 0, so it may differ. */
function noteUnrewarded({ attempts }: ReportedRun): string[] {
  const count = attempts.filter(({ outcome }) => outcome.status === 'void').length
  if (count === 0) return []
  const trials = countOf(count, 'trial has', 'trials have')
  return [`${trials} no reward and are excluded from scoring; the mean of Harbor counts them as 0.`]
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

type Jobs = {
  jobs: { job: HarborJob; trials: HarborTrial[] }[]
  files: Map<EvidenceFile, StoredFile>
}
type JobFile = Pick<HarborJob, 'id' | 'versions' | 'planned'>

/** Reads every job with its trials: an archive may be a folder of jobs. A duplicate trial counts once. */
async function readJobs(all: ArchiveFiles, staging: StagingFolder): Promise<Jobs> {
  const files = new Map<EvidenceFile, StoredFile>()
  const trials = new Map<string, { folder: string; read: HarborTrial }>()
  const jobFiles = new Map<string, JobFile>()
  for (const [path, file] of listResults(all)) {
    const document = readDocument(path, file)
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    if (document.has('trial_name')) {
      const record = document.read()
      const trial = await readTrial({ path, folder, record, all, staging, files })
      const trajectory = readTrajectory(all.get(`${folder}agent/trajectory.json`))
      const read = { ...trial, trajectory }
      trials.set(read.trial.id ?? path, { folder, read })
    } else if (document.has('n_total_trials'))
      jobFiles.set(folder, readJobFile(document, all.get(`${folder}config.json`)))
  }
  const groups = new Map<string, { job: JobFile; trials: HarborTrial[] }>()
  for (const { folder, read } of trials.values()) {
    const job = findJob(jobFiles, folder) ?? UNKNOWN_JOB
    const id = job.id ?? read.trial.config?.job_id ?? null
    const group = groups.get(id ?? '') ?? { job: { ...job, id }, trials: [] }
    group.trials.push(read)
    groups.set(id ?? '', group)
  }
  const jobs = [...groups.values()].map(({ job, trials: own }) => ({
    job: { ...job, found: own.length },
    trials: own,
  }))
  return { jobs, files }
}

const UNKNOWN_JOB: JobFile = { id: null, versions: new Map(), planned: null }

/** Finds the job of a trial's folder, the innermost of several. */
function findJob(jobs: ReadonlyMap<string, JobFile>, folder: string): JobFile | undefined {
  for (let at = folder; at !== ''; ) {
    const job = jobs.get(at)
    if (job) return job
    at = at.slice(0, at.lastIndexOf('/', at.length - 2) + 1)
  }
  return jobs.get('')
}

const configSchema = z.object({
  datasets: z
    .array(z.object({ name: z.string().nullish(), version: z.string().nullish() }))
    .nullish(),
})

function readJobFile(document: JsonDocument, config: StoredFile | undefined): JobFile {
  const parsed = config && configSchema.safeParse(readDocument('config.json', config).read())
  const datasets = parsed?.success ? (parsed.data.datasets ?? []) : []
  const versions = datasets.flatMap(({ name, version }) =>
    name && version ? [[name, version] as const] : [],
  )
  const [id, planned] = [document.member('id'), document.member('n_total_trials')]
  return {
    id: typeof id === 'string' ? id : null,
    versions: new Map(versions),
    planned: typeof planned === 'number' && Number.isSafeInteger(planned) ? planned : null,
  }
}
