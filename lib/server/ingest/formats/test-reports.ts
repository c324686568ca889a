import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import {
  ctrfSchema,
  formatMismatch,
  fromCtrf,
  fromJunit,
  fromTests,
  type JunitCase,
  type JunitDocument,
  type TestReport,
  type XmlHandler,
  XmlProblem,
  XmlReader,
} from '../../../domain/formats/index.ts'
import type { EvidenceFile } from '../../../domain/record/index.ts'
import type { ParseResult } from '../../../domain/text/index.ts'
import { AppError } from '../../../errors.ts'
import {
  asEvidence,
  type Format,
  type IncomingRun,
  onlyDocument,
  reportedToRun,
  type StagingFolder,
} from '../format.ts'
import { MAX_EPISODES } from '../limits.ts'
import type { StoredFile } from '../unpack-archive.ts'

const CTRF = 'a CTRF report'
const JUNIT = 'a JUnit report'
const SNIFFED = 16_384

/** A CTRF report, each of its tests (or of its suites) as a task. */
export const ctrfFormat: Format = {
  id: 'ctrf',
  title: CTRF,
  detect: (content) => {
    const document = onlyDocument(content)
    if (!document || document.has('metadata')) return false
    // Reporters from before version 0.0.0 of the specification omit the name of the format.
    if (document.has('reportFormat')) return true
    const results = document.member('results')
    return typeof results === 'object' && results !== null && 'tool' in results
  },
  async *toRuns(content, staging) {
    if (content.kind !== 'json') return
    const parsed = ctrfSchema.safeParse(onlyDocument(content)?.read())
    if (!parsed.success)
      throw new AppError('invalid-episode', formatMismatch(CTRF, parsed.error.issues))
    const whole = await staging.keepUpload(content.file)
    yield await toRun(CTRF, fromCtrf(parsed.data, whole.digest, staging.details), {
      staging,
      whole,
      name: 'ctrf.json',
    })
  },
}

/** A JUnit report, each of its test cases (or of its suites) as a task. */
export const junitFormat: Format = {
  id: 'junit',
  title: JUNIT,
  detect: (content) => content.kind === 'text' && /<testsuites?[\s>/]/.test(sniff(content.file)),
  async *toRuns(content, staging) {
    if (content.kind !== 'text') return
    const document = await readJunitXml(content.file)
    const whole = await staging.keepUpload(content.file)
    const report = requireParsed(JUNIT, fromJunit(document, whole.digest, staging.details))
    yield await toRun(JUNIT, report, { staging, whole, name: 'junit.xml' })
  },
}

type StoredReport = { staging: StagingFolder; whole: StoredFile; name: string }

async function toRun(
  title: string,
  report: TestReport,
  { staging, whole, name }: StoredReport,
): Promise<IncomingRun> {
  const record = asEvidence(whole, 'source-record', name)
  const files = new Map<EvidenceFile, StoredFile>([[record, whole]])
  const logs = new Map<number, EvidenceFile>()
  for (const [place, { message }] of report.cases.entries()) {
    if (message === null) continue
    const stored = await staging.keepText(message)
    const log = asEvidence(stored, 'gate-log', `message-${place + 1}.txt`)
    files.set(log, stored)
    logs.set(place, log)
  }
  const evidenceOf = (places: readonly number[]) => {
    // An envelope has room for one log: the first of several tests that is not empty.
    const log = places.flatMap((place) => logs.get(place) ?? []).slice(0, 1)
    return places.includes(0) ? [record, ...log] : log
  }
  return reportedToRun('', requireParsed(title, fromTests(report, evidenceOf)), files)
}

/** Returns the value, or throws with the first problem. */
function requireParsed<T>(title: string, parsed: ParseResult<T>): T {
  if (parsed.ok) return parsed.value
  throw new AppError('invalid-episode', `this is ${title}, but ${parsed.problems[0]?.message}`)
}

function sniff(file: string): string {
  const head = Buffer.alloc(SNIFFED)
  const handle = openSync(file, 'r')
  try {
    return head.toString('latin1', 0, readSync(handle, head))
  } finally {
    closeSync(handle)
  }
}

const MAX_TEXT_LENGTH = 100_000
const MAX_PROPERTIES = 1000

/** A failure before a pass; an error before a pass is an attempt without a verdict, which is excluded from scoring. */
const FLAKY = 'flakyFailure'
const RERUN = new Set(['flakyError', 'rerunFailure', 'rerunError'])
/** A failed assertion, an ending without a verdict, and a test that never ran. */
const STATUS = { failure: 'failed', error: 'error', skipped: 'skipped' } as const

/** Reads a JUnit report in pieces. Limits texts and counts; the XML reader limits everything else. */
async function readJunitXml(file: string): Promise<JunitDocument> {
  const junit = new JunitReader()
  const reader = new XmlReader(junit)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of createReadStream(file)) {
      reader.write(decoder.decode(chunk as Uint8Array, { stream: true }))
    }
    reader.write(decoder.decode())
    reader.end()
  } catch (error) {
    if (error instanceof TypeError) throw refuse('it is not UTF-8')
    throw error instanceof XmlProblem ? refuse(error.message) : error
  }
  return junit.document
}

type Attributes = Readonly<Record<string, string>>

class JunitReader implements XmlHandler {
  #depth = 0
  readonly #suites: string[] = []
  readonly #cases: JunitCase[] = []
  readonly #properties: Record<string, string> = Object.create(null)
  #root: Attributes = {}
  #timestamp: string | null = null
  #case: JunitCase | null = null
  #isTextKept = false

  get document(): JunitDocument {
    const [root, timestamp, properties] = [this.#root, this.#timestamp, this.#properties]
    return { root, timestamp, properties, cases: this.#cases }
  }

  open(name: string, attributes: Attributes): void {
    if (this.#depth++ === 0) this.#openRoot(name, attributes)
    if (name === 'testsuite') {
      this.#suites.push(attributes.name ?? '')
      this.#timestamp ??= attributes.timestamp ?? null
    } else if (name === 'testcase') this.#openCase(attributes)
    else if (this.#case) this.#openInCase(this.#case, name, attributes)
    else if (name === 'property') this.#addProperty(attributes)
  }

  text(text: string): void {
    const one = this.#case
    if (one && this.#isTextKept && one.text.length < MAX_TEXT_LENGTH)
      one.text = (one.text + text).slice(0, MAX_TEXT_LENGTH)
  }

  close(name: string): void {
    this.#depth--
    if (name === 'testsuite') this.#suites.pop()
    if (name === 'testcase') this.#case = null
    if (Object.hasOwn(STATUS, name)) this.#isTextKept = false
  }

  #openRoot(name: string, attributes: Attributes): void {
    if (name !== 'testsuites' && name !== 'testsuite')
      throw refuse(`it starts with <${name.slice(0, 40)}>, not with <testsuites> or <testsuite>`)
    this.#root = attributes
  }

  #openCase(attributes: Attributes): void {
    if (this.#cases.length >= MAX_EPISODES)
      throw new AppError('too-large', `the report has more than ${MAX_EPISODES} tests`)
    if (!attributes.name) throw refuse(`its test ${this.#cases.length + 1} has no name`)
    // The outermost <testsuites> names the report; suites around a test are the <testsuite>s.
    const suites = this.#suites.filter((suite) => suite !== '')
    const empty = { status: 'passed' as const, flaky: 0, reruns: 0, message: null, text: '' }
    this.#case = { suites, attributes, ...empty }
    this.#cases.push(this.#case)
  }

  #openInCase(one: JunitCase, name: string, attributes: Attributes): void {
    if (name === FLAKY) one.flaky++
    else if (RERUN.has(name)) one.reruns++
    else if (Object.hasOwn(STATUS, name) && one.status === 'passed') {
      one.status = STATUS[name as keyof typeof STATUS]
      one.message = attributes.message ?? null
      this.#isTextKept = true
    }
  }

  #addProperty({ name, value = '' }: Attributes): void {
    if (!name || Object.hasOwn(this.#properties, name)) return
    if (Object.keys(this.#properties).length >= MAX_PROPERTIES)
      throw refuse(`it has more than ${MAX_PROPERTIES} properties`)
    this.#properties[name] = value
  }
}

function refuse(why: string): AppError {
  return new AppError('invalid-request', `the JUnit report is refused: ${why}`)
}
