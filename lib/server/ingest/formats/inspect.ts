import { setImmediate as breathe } from 'node:timers/promises'
import {
  formatMismatch,
  fromInspect,
  fromInspectSample,
  type InspectHeader,
  type InspectParts,
  inspectHeaderSchema,
  inspectSampleSchema,
} from '#lib/domain/formats/index.ts'
import { digestJson, type EvidenceFile } from '#lib/domain/record/index.ts'
import { AppError } from '#lib/errors.ts'
import {
  asEvidence,
  type Format,
  type IncomingRun,
  onlyDocument,
  reportedToRun,
  type StagingFolder,
} from '../format.ts'
import { type JsonDocument, readDocument } from '../json/parse-strict-json.ts'
import { MOST_EPISODES } from '../limits.ts'
import type { ArchiveFiles, StoredFile } from '../unpack-archive.ts'

const TITLE = 'a log of Inspect'
const HEADER = ['version', 'status', 'eval', 'plan', 'stats']
const SAMPLE = /^samples\/.+\.json$/

/** A log of Inspect as JSON; its samples are read one by one, since a log may be a hundred megabytes. */
export const inspectFormat: Format = {
  id: 'inspect',
  title: TITLE,
  detect: (content) => {
    const document = onlyDocument(content)
    return document?.has('eval') === true && (document.has('samples') || document.has('status'))
  },
  async *toRuns(content, staging) {
    const document = onlyDocument(content)
    if (content.kind !== 'json' || !document) return
    const whole = await staging.keepUpload(content.file)
    const record = asEvidence(whole, 'source-record', 'inspect.json')
    const items = document.memberItems('samples') ?? []
    yield await toRun(readHeader(document), {
      samples: items.map((range, place) => ({
        path: `samples[${place}]`,
        read: document.reader(range),
      })),
      recordDigest: whole.digest,
      evidence: (place) => (place === 0 ? [record] : []),
      files: new Map([[record, whole]]),
      staging,
    })
  },
}

/** A log of Inspect as it writes it itself, if its zip is packed so that it can be read here. */
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
      readHeader(readDocument('header.json', header)),
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
      read: () => readDocument(path, file).readWhole(),
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
  const said = Object.fromEntries(HEADER.map((name) => [name, document.member(name)]))
  const parsed = inspectHeaderSchema.safeParse(said)
  if (!parsed.success)
    throw new AppError('invalid-episode', formatMismatch(TITLE, parsed.error.issues))
  if (parsed.data.status !== 'started') return parsed.data
  throw refuse('its status is started: upload it when the run has finished')
}

type Parts = {
  samples: readonly { path: string; read: () => unknown }[]
  recordDigest: InspectParts['recordDigest']
  evidence: (place: number) => readonly EvidenceFile[]
  files: ReadonlyMap<EvidenceFile, StoredFile>
  staging: StagingFolder
}

async function toRun(header: InspectHeader, parts: Parts): Promise<IncomingRun> {
  const { samples, recordDigest, evidence, files, staging } = parts
  if (samples.length === 0)
    throw refuse('it contains no samples, only totals: log the samples too (--log-samples)')
  if (samples.length > MOST_EPISODES) throw refuse(`it has more than ${MOST_EPISODES} samples`)
  const choice = { model: header.eval.model, scorer: staging.details.scorer ?? null }
  const attempts: ReturnType<typeof readSample>[] = []
  for (const sample of samples) {
    attempts.push(readSample(sample, choice))
    // A sample may be megabytes: others may have the process between two of them.
    await breathe()
  }
  const reported = fromInspect(header, { attempts, recordDigest, evidenceOf: evidence })
  if (!reported) throw refuse(`eval.created is not a time`)
  const notes =
    header.status === 'success' ? [] : [`The log says that the run ended with ${header.status}.`]
  return reportedToRun('', reported, files, notes)
}

type Choice = { model: string; scorer: string | null }

function readSample({ path, read }: Parts['samples'][number], choice: Choice) {
  const parsed = inspectSampleSchema.safeParse(read())
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [path, ...issue.path] }))
    throw new AppError('invalid-episode', formatMismatch(TITLE, issues))
  }
  const attempt = fromInspectSample(parsed.data, choice)
  if (attempt.ok) return attempt.value
  const { path: place, message } = attempt.problems[0] ?? { path: '', message: '' }
  throw refuse(`${path}.${place}: ${message}`)
}

function refuse(why: string): AppError {
  return new AppError('invalid-episode', `this is ${TITLE}, but ${why}`)
}
