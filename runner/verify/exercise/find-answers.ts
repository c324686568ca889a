import type { ArmContent } from '#lib/domain/record/index.ts'
import { isAgentTask, type LoadedTask } from '../../suites/task-folder.ts'

/** A text from an arm or a plan, and its origin. */
type GivenText = { where: string; text: string }

type Answer = {
  taskId: string
  what: 'reference solution' | 'tests' | 'held-out tests'
  shingles: ReadonlySet<string>
}

/**
 * Returns the first text that contains a reference solution or tests, in one clause; null = none. Names, comments and
 * white space are ignored, so that a renamed or reformatted copy is found.
 */
export type AnswerFinder = (texts: readonly GivenText[]) => string | null

/** Lists all texts of an arm. */
export function listArmTexts({
  files,
  mcpServers,
  promptPrefix,
  settings,
}: Pick<ArmContent, 'files' | 'mcpServers' | 'promptPrefix' | 'settings'>): GivenText[] {
  return [
    ...files.map(({ path, text }) => ({ where: `the file ${path}`, text })),
    ...mcpServers.map(({ name, args }) => ({
      where: `the MCP server ${name}`,
      text: args.join(' '),
    })),
    { where: 'the prompt prefix', text: promptPrefix ?? '' },
    { where: 'the custom instruction', text: settings?.customInstruction ?? '' },
  ]
}

/** Tokens in one shingle: long enough that ordinary code rarely shares one. */
const SHINGLE_TOKENS = 12
/** Share of shingles that texts may have in common by chance. */
const MAX_SHARED = 0.4
/** Shorter code is similar by chance. */
const MIN_SHINGLES = 20

/**
 * Returns a search for answers of these tasks in texts. The tasks are indexed on the first text, and the same
 * texts are compared once.
 */
export function answerFinder(tasks: readonly LoadedTask[]): AnswerFinder {
  let answers: Answer[] | undefined
  const known = new Map<string, string | null>()
  return (texts) => {
    const given = texts.filter(({ text }) => text !== '')
    if (given.length === 0) return null
    const key = JSON.stringify(given)
    const before = known.get(key)
    if (before !== undefined) return before
    answers ??= indexAnswers(tasks)
    const found = findAnswer(given, answers)
    known.set(key, found)
    return found
  }
}

/** Indexes everything that a suite's tasks hide from an agent. */
function indexAnswers(tasks: readonly LoadedTask[]): Answer[] {
  return tasks.filter(isAgentTask).flatMap((agentTask) => {
    const { taskId } = agentTask.task
    const answers = agentTask.forAgents.answers(agentTask)
    if (answers === null) return []
    const { reference, tests, heldOut, stubs, instructions } = answers
    const known = shinglesOf([...stubs.map(({ text }) => text), instructions].join('\n'))
    const answer = (what: Answer['what'], texts: readonly { text: string }[]): Answer[] => {
      const all = shinglesOf(texts.map(({ text }) => text).join('\n'))
      const shingles = new Set([...all].filter((one) => !known.has(one)))
      return shingles.size < MIN_SHINGLES ? [] : [{ taskId, what, shingles }]
    }
    return [
      ...answer('reference solution', reference),
      ...answer('tests', tests),
      ...answer('held-out tests', heldOut ? [heldOut] : []),
    ]
  })
}

function findAnswer(texts: readonly GivenText[], answers: readonly Answer[]): string | null {
  for (const { where, text } of texts) {
    const found = new Set(readingsOf(text).flatMap((reading) => [...shinglesOf(reading)]))
    for (const { taskId, what, shingles } of answers) {
      const shared = [...shingles].filter((one) => found.has(one)).length
      if (shared > shingles.size * MAX_SHARED) return `${where} contains the ${what} of ${taskId}`
    }
  }
  return null
}

/** Returns the text itself, and versions without comment marks, without escapes and decoded. */
function readingsOf(text: string): string[] {
  const packed = text.match(/[A-Za-z0-9+/]{200,}={0,2}/g) ?? []
  return [
    text,
    text.replace(/^[ \t]*(?:\/\/|\/\*+|\*|#|>|\|)/gm, ''),
    text.replace(/\\[nt]/g, '\n').replace(/\\(["'`])/g, '$1'),
    ...packed.map((one) => Buffer.from(one, 'base64').toString('utf8')),
  ]
}

// Backticks are left out: in Markdown they enclose whole blocks of code.
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[A-Za-z_$#][\w$]*|\d[\w.]*|[^\s\w`]/g
const KEYWORDS = new Set(
  'as async await break case catch class const continue default delete do else export extends false finally for from function if import in instanceof interface let new null of private public readonly return static super switch this throw true try type typeof undefined var void while yield'.split(
    ' ',
  ),
)

/** Returns every sequence of a few tokens; all names are the same token, and so are all quotes. */
function shinglesOf(text: string): Set<string> {
  const tokens = (text.match(TOKEN) ?? []).flatMap(normalise)
  const shingles = new Set<string>()
  for (let start = 0; start + SHINGLE_TOKENS <= tokens.length; start++)
    shingles.add(tokens.slice(start, start + SHINGLE_TOKENS).join(' '))
  return shingles
}

function normalise(token: string): string[] {
  if (token.startsWith('//') || token.startsWith('/*') || token === ';' || token === ',') return []
  if (/^['"]/.test(token)) return [`"${token.slice(1, -1)}"`]
  if (/^[A-Za-z_$#]/.test(token)) return [KEYWORDS.has(token) ? token : 'x']
  return [token]
}
