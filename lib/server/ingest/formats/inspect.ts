import { setImmediate as breathe } from 'node:timers/promises'
import { digestJson } from '#lib/domain/digest/index.ts'
import {
  chooseScorer,
  formatMismatch,
  fromInspect,
  type InspectHeader,
  type InspectParts,
  type InspectSample,
  inspectHeaderSchema,
  inspectSampleSchema,
  judgeInspectSample,
  openInspectSample,
} from '#lib/domain/formats/index.ts'
import type { EvidenceFile } from '#lib/domain/record/index.ts'
import type { ParseResult } from '#lib/domain/text/index.ts'
import { AppError } from '#lib/errors.ts'
import {
  asEvidence,
  type Format,
  type IncomingRun,
  onlyDocument,
  reportedToRun,
  type StagingFolder,
} from '../format.ts'
import { type JsonDocument, readDocument } from '../json/json-document.ts'
import { MAX_EPISODES } from '../limits.ts'
import type { ArchiveFiles, StoredFile } from '../unpack-archive.ts'

const TITLE = 'a log of Inspect'
const HEADER = Object.keys(inspectHeaderSchema.shape)
const SAMPLE = /^samples\/.+\.json$/
/** Members of a sample that are read: its events may be a hundred megabytes. */
const SAMPLE_MEMBERS = Object.keys(inspectSampleSchema.shape)

/** A log of Inspect as JSON; its samples are read one by one, since a log may be a hundred megabytes. */
export const inspectFormat: Format = {
  id: 'inspect',
  title: TITLE,
  isLoose: true,
  detect: (content) => {
    const document = onlyDocument(content)
    return document?.has('eval') === true && (document.has('samples') || document.has('status'))
  },
  async *toRuns(content, staging) {
    const document = onlyDocument(content)
    if (content.kind !== 'json' || !document) return
    const whole = await staging.keepUpload(content.file)
    const record = asEvidence(whole, 'source-record', 'inspect.json')
    const items = document.outline.members.get('samples')?.items ?? []
    yield await toRun(readHeader(document), {
      samples: items.map((range, place) => ({
        path: `samples[${place}]`,
        open: () => document.part(range, `samples[${place}]`),
      })),
      recordDigest: whole.digest,
      evidence: (place) => (place === 0 ? [record] : []),
      files: new Map([[record, whole]]),
      staging,
    })
  },
}

/** A log of Inspect in its own format, if the compression of its zip is supported here. */
export const inspectZipFormat: Format = {
  id: 'inspect-eval',
  title: 'an .eval log of Inspect',
  detect: (content) =>
    content.kind === 'archive' &&
    (content.files.has('header.json') || content.files.has('_journal/start.json')) &&
    [...content.files.keys()].some((path) => SAMPLE.test(path) || path.startsWith('_journal/')),
  async *toRuns(content, staging) {
    if (content.kind !== 'archive') return
    const header = content.files.get('header.json')
    if (!header) throw refuse('it has no header.json: the run has not ended')
    yield await toRun(
      readHeader(readDocument('header.json', header, { isLoose: true })),
      zipParts(content.files, header, staging),
    )
  },
}

function zipParts(all: ArchiveFiles, header: StoredFile, staging: StagingFolder): Parts {
  const samples = [...all].filter(([path]) => SAMPLE.test(path)).sort(byPath)
  const files = new Map<EvidenceFile, StoredFile>()
  const own = samples.map(([path, stored]) => keep(files, stored, path))
  const first = keep(files, header, 'header.json')
  return {
    samples: samples.map(([path, file]) => ({
      path,
      open: () => readDocument(path, file, { isLoose: true }),
    })),
    recordDigest: digestJson(
      [header, ...samples.map(([, file]) => file)].map(({ digest }) => digest),
    ),
    evidence: (place) => [...(place === 0 ? [first] : []), ...own.slice(place, place + 1)],
    files,
    staging,
  }
}

function keep(
  files: Map<EvidenceFile, StoredFile>,
  stored: StoredFile,
  path: string,
): EvidenceFile {
  const named = asEvidence(stored, 'source-record', path)
  files.set(named, stored)
  return named
}

function byPath([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

function readHeader(document: JsonDocument): InspectHeader {
  const parsed = inspectHeaderSchema.safeParse(pick(document, HEADER))
  if (!parsed.success)
    throw new AppError('invalid-episode', formatMismatch(TITLE, parsed.error.issues))
  if (parsed.data.status !== 'started') return parsed.data
  throw refuse('its status is started: upload it when the run has finished')
}

const NO_STATE =
  'A log has no final state of its sandbox, so its scores cannot be judged again and it cannot be put in escrow.'

type Parts = {
  samples: readonly { path: string; open: () => JsonDocument }[]
  recordDigest: InspectParts['recordDigest']
  evidence: (place: number) => readonly EvidenceFile[]
  files: ReadonlyMap<EvidenceFile, StoredFile>
  staging: StagingFolder
}

async function toRun(header: InspectHeader, parts: Parts): Promise<IncomingRun> {
  const { samples, recordDigest, evidence, files, staging } = parts
  if (samples.length === 0)
    throw refuse('it contains no samples, only totals: log the samples too (--log-samples)')
  if (samples.length > MAX_EPISODES) throw refuse(`it has more than ${MAX_EPISODES} samples`)
  const read: InspectSample[] = []
  for (const sample of samples) {
    read.push(readSample(sample, header.eval.model))
    // A sample may be megabytes: lets other work run between two of them.
    await breathe()
  }
  const scorer = orRefuse(chooseScorer(read, staging.details.scorer ?? null), '')
  const attempts = read.map((sample, place) =>
    orRefuse(judgeInspectSample(sample, scorer), `${samples[place]?.path}.`),
  )
  const reported = fromInspect(header, { attempts, recordDigest, evidenceOf: evidence })
  if (!reported) throw refuse(`eval.created is not a time`)
  const ended =
    header.status === 'success' ? [] : [`The log says that the run ended with ${header.status}.`]
  return reportedToRun('', reported, files, [...ended, NO_STATE])
}

function readSample({ path, open }: Parts['samples'][number], model: string): InspectSample {
  const parsed = inspectSampleSchema.safeParse(pick(open(), SAMPLE_MEMBERS))
  if (parsed.success) return openInspectSample(parsed.data, model)
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [path, ...issue.path] }))
  throw new AppError('invalid-episode', formatMismatch(TITLE, issues))
}

/** Returns the value. Throws an AppError with the first problem. */
function orRefuse<T>(result: ParseResult<T>, under: string): T {
  if (result.ok) return result.value
  const { path: place, message } = result.problems[0] ?? { path: '', message: '' }
  throw refuse(`${under}${place}: ${message}`)
}

function pick(document: JsonDocument, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, document.member(name)]))
}

function refuse(why: string): AppError {
  return new AppError('invalid-episode', `this is ${TITLE}, but ${why}`)
}
