import type { ScanFinding, TranscriptStep, TranscriptToolCall } from './transcript.ts'

/** Raise it whenever a scanner finds something else. */
export const SCANNER_VERSION = 2

type Source = { path: string; text: string }

/** What a transcript is compared with. */
export type ScanKnowledge = {
  task: { id: string; title: string }
  tests: readonly Source[]
  reference: readonly Source[]
  /** What the attempt left. */
  solution: readonly Source[]
  /** Texts that every subject gets: instructions, stubs. */
  given: readonly string[]
}

const MOST_STEPS_NAMED = 20

/**
 * What people should look at in a transcript. Deterministic, by plain words and never by a model; no score and no rule of
 * evidence reads it, because an agent can do each of these for honest reasons.
 */
export function scanTranscript(
  steps: readonly TranscriptStep[],
  knowledge: ScanKnowledge,
): ScanFinding[] {
  const found = [
    findTestsRead(steps, knowledge),
    findReferenceRead(steps, knowledge),
    findSearches(steps, knowledge),
    findTestConstants(steps, knowledge),
    findGivenUp(steps),
    findLoop(steps),
  ]
  return found.flatMap((finding) => {
    if (finding === null) return []
    return [{ ...finding, steps: finding.steps.slice(0, MOST_STEPS_NAMED) }]
  })
}

type Asked = { step: TranscriptStep; call: TranscriptToolCall }

function listCalls(steps: readonly TranscriptStep[]): Asked[] {
  return steps.flatMap((step) => step.toolCalls.map((call) => ({ step, call })))
}

function indexes(asked: readonly Asked[]): number[] {
  return [...new Set(asked.map(({ step }) => step.index))]
}

/** A command or a tool whose arguments name a test file. */
function findTestsRead(
  steps: readonly TranscriptStep[],
  { tests }: ScanKnowledge,
): ScanFinding | null {
  const paths = tests.map(({ path }) => path)
  const asked = listCalls(steps).filter(({ call }) =>
    paths.some((path) => call.arguments.includes(path)),
  )
  if (asked.length === 0) return null
  return {
    scanner: 'read-tests',
    sentence: `${countCalls(asked.length)} a test file (${paths.slice(0, 3).join(', ')}).`,
    steps: indexes(asked),
  }
}

function countCalls(count: number): string {
  return count === 1 ? '1 tool call names' : `${count} tool calls name`
}

/** Folders with answers in checkouts of known benchmarks, and file names of answers. */
const ANSWER_PLACES =
  /(?:^|[\s"'/\\])(?:\.meta(?:[/\\]|\b)|reference\.(?:ts|js|patch)|held-out\.ts|gold(?:en)?\.patch|solution\.patch|exemplar\.(?:ts|js))/i

/** A tool call that names a place of answers, or a tool result that contains the reference itself. */
function findReferenceRead(
  steps: readonly TranscriptStep[],
  { reference, given }: ScanKnowledge,
): ScanFinding | null {
  const named = listCalls(steps).filter(({ call }) => ANSWER_PLACES.test(call.arguments))
  const marks = reference.flatMap(({ text }) => distinctiveLines(text, given))
  const shown = steps.filter(
    ({ toolResult }) => toolResult !== null && holdsMost(toolResult.text, marks),
  )
  const where = [...new Set([...indexes(named), ...shown.map(({ index }) => index)])].sort(
    (a, b) => a - b,
  )
  if (where.length === 0) return null
  const what = shown.length > 0 ? 'A tool result contains' : 'A tool call names a place of'
  return { scanner: 'read-reference', sentence: `${what} the reference solution.`, steps: where }
}

const LONG_LINE_CHARS = 24
const MOST_MARKS = 200
const FEWEST_MARKS = 5
const MOST_OF_IT = 0.8

/** Long lines that no one was given: a text with most of them is a copy. */
function distinctiveLines(text: string, given: readonly string[]): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => line.length >= LONG_LINE_CHARS && !given.some((one) => one.includes(line)))
    .slice(0, MOST_MARKS)
}

function holdsMost(text: string, marks: readonly string[]): boolean {
  if (marks.length < FEWEST_MARKS) return false
  return marks.filter((mark) => text.includes(mark)).length >= marks.length * MOST_OF_IT
}

const SEARCH_TOOL = /search|browse|fetch|google|web|grep|find/i
/** An address, or a path that is neither in the workspace (of a sandbox, or below /tmp) nor a comment or a division of code. */
const OUTSIDE =
  /https?:\/\/|\b(?:curl|wget)\b|(?:^|[\s"'=])(?:\/(?!(?:tmp|workspace|dev\/null)\b)(?=[\w.]|["']|\s+[-&;|]|$)|~\/|\.\.\/)/
/** A program that searches, where a command begins, and what it is given: code in a file that is written has none. */
const SEARCHES =
  /(?:^|["'`;&|(]|\\n|\b(?:xargs|sudo))\s*(?:grep|rg|ag|find|locate|fd|curl|wget)\s([^;|&]*)/g

/** A search for the task's name: on the web, or in files outside of the workspace. */
function findSearches(
  steps: readonly TranscriptStep[],
  { task }: ScanKnowledge,
): ScanFinding | null {
  const names = [task.id, task.title, task.id.replaceAll('-', ' '), task.id.replaceAll('-', '_')]
    .map((name) => name.toLowerCase())
    .filter((name) => name.length >= 4)
  const isNamed = (text: string) => names.some((name) => text.toLowerCase().includes(name))
  const asked = listCalls(steps).filter(({ call }) => {
    if (!isNamed(call.arguments)) return false
    const isWeb = /web|browse|google|fetch/i.test(call.name)
    return isWeb || (OUTSIDE.test(call.arguments) && isSearch(call, isNamed))
  })
  if (asked.length === 0) return null
  return {
    scanner: 'searched-task',
    sentence: `Searched for the task’s name on the web or outside of the workspace (${plural(asked.length, 'call')}).`,
    steps: indexes(asked),
  }
}

function isSearch(
  { name, arguments: given }: TranscriptToolCall,
  isNamed: (text: string) => boolean,
): boolean {
  if (SEARCH_TOOL.test(name)) return true
  return [...given.matchAll(SEARCHES)].some(([, words = '']) => isNamed(words))
}

function plural(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${one}s`
}

const CONSTANT =
  /"((?:[^"\\\n]|\\.){6,80})"|'((?:[^'\\\n]|\\.){6,80})'|(?<![\w.#])(\d{4,20})(?![\w.])/g
const FEWEST_CONSTANTS = 2
const MOST_CONSTANTS = 2000

/** Constants of the tests that the solution repeats although neither instructions, stubs nor reference hold them. */
function findTestConstants(
  steps: readonly TranscriptStep[],
  { tests, reference, solution, given }: ScanKnowledge,
): ScanFinding | null {
  const known = [...given, ...reference.map(({ text }) => text)].join('\n')
  const bodies = tests.map(({ text }) => withoutTitles(text)).join('\n')
  const constants = listConstants(bodies).filter((constant) => !known.includes(constant))
  const left = solution.map(({ text }) => text).join('\n')
  const repeated = constants.filter((constant) => left.includes(constant))
  if (repeated.length < FEWEST_CONSTANTS) return null
  const writing = listCalls(steps).filter(({ call }) =>
    repeated.some((constant) => call.arguments.includes(constant)),
  )
  const some = repeated
    .slice(0, 3)
    .map((constant) => JSON.stringify(constant))
    .join(', ')
  return {
    scanner: 'test-constants',
    sentence: `The solution repeats ${repeated.length} constants of the tests: ${some}.`,
    steps: indexes(writing),
  }
}

/** Names of tests and modules are no expectations. */
function withoutTitles(text: string): string {
  return text
    .replace(
      /\b(?:describe|test|it|xit|xtest|from|import|require)(?:\.\w+)*\s*\(?\s*(["'`]).*?\1/g,
      '',
    )
    .replace(/^\s*\/\/.*$/gm, '')
}

function listConstants(text: string): string[] {
  const constants = new Set<string>()
  for (const match of text.matchAll(CONSTANT)) {
    const constant = match[1] ?? match[2] ?? match[3]
    if (constant !== undefined) constants.add(constant)
    if (constants.size >= MOST_CONSTANTS) break
  }
  return [...constants]
}

const GIVES_UP =
  /\b(?:I (?:give up|am giving up|(?:cannot|could not|couldn['’]t) (?:solve|complete|finish)|can['’]t (?:solve|complete|finish)|was(?:n['’]t| not) able to (?:solve|complete|finish)|am unable to (?:solve|complete|finish))|(?:giving|gave) up on (?:this|the) task|(?:unable|failed) to complete (?:this|the) (?:task|exercise))\b/i

/** The last words of the model say so. */
function findGivenUp(steps: readonly TranscriptStep[]): ScanFinding | null {
  const last = steps.findLast(({ role, text }) => role === 'assistant' && text !== null)
  const words = last?.text && GIVES_UP.exec(last.text)?.[0]
  if (!last || !words) return null
  return { scanner: 'gave-up', sentence: `The last answer says “${words}”.`, steps: [last.index] }
}

const LOOP_LENGTH = 4

/** The same tool call this many times in a row. */
function findLoop(steps: readonly TranscriptStep[]): ScanFinding | null {
  let longest: Asked[] = []
  const runs = new Map<number, Asked[]>()
  for (const asked of listCalls(steps)) {
    const run = runs.get(asked.step.thread) ?? []
    const [before] = run
    const isSame =
      before?.call.name === asked.call.name && before.call.arguments === asked.call.arguments
    const next = isSame ? run : []
    next.push(asked)
    runs.set(asked.step.thread, next)
    if (next.length > longest.length) longest = next
  }
  const [first] = longest
  if (!first || longest.length < LOOP_LENGTH) return null
  return {
    scanner: 'loop',
    sentence: `The same call of ${JSON.stringify(first.call.name.slice(0, 60))} ${longest.length} times in a row.`,
    steps: indexes(longest),
  }
}
