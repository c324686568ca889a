/** A commit's message as a task's text. */
export type Instruction = { title: string; text: string; category: string }

const MAX_TITLE = 200
const MAX_BODY = 15_000
const MAX_NAMES = 100

/** Lines about people, tools and other commits, which contain no instruction. References to issues stay. */
const TRAILER =
  /^(?:[\w-]+-by|cc|change-id|git-svn-id|commit-id|cherry-picked-from|gerrit-[\w-]+|x-[\w-]+):\s|^\(cherry picked from commit [0-9a-f]+\)$/i

const CATEGORIES: Readonly<Record<string, string>> = {
  feat: 'feature',
  feature: 'feature',
  fix: 'bug',
  bugfix: 'bug',
  perf: 'performance',
  refactor: 'refactoring',
  test: 'tests',
  build: 'build',
  docs: 'documentation',
}

/** Words that state that something was done, but not what. */
const EMPTY = new Set(
  'a add again all and another bug bugs change changes changed clean cleanup code commit edit final fix fixed fixes fixup for forgot in initial it last lint merge minor misc more new oops of once part pass please progress quick refactor revert save small some squash stuff temp test tests the things this tmp todo to try typo typos up update updated updates version wip work works'.split(
    ' ',
  ),
)

const PREFIX = /^(?<type>[a-z]+)(?:\([^)]{0,60}\))?!?:\s*/i

/** Converts the message to an instruction; null = it contains none. */
export function instructionFrom(message: string): Instruction | null {
  const lines = plain(message).split('\n')
  const subject = (lines[0] ?? '').trim()
  const type = PREFIX.exec(subject)?.groups?.type?.toLowerCase() ?? ''
  if (!saysSomething(subject.replace(PREFIX, ''))) return null
  const body = withoutTrailers(lines.slice(1)).slice(0, MAX_BODY)
  const title = subject.slice(0, MAX_TITLE)
  const text = [`# ${title}`, ...(body === '' ? [] : [body]), HOW].join('\n\n')
  const category = Object.hasOwn(CATEGORIES, type) ? CATEGORIES[type] : undefined
  return { title, text, category: category ?? 'change' }
}

/** Most commits of a pull request that its instruction names. */
const MAX_BROUGHT = 30

/**
 * Returns what a merge brings in words: the title of the pull request, or its first commit where git wrote the message.
 * `brought` = the messages of its commits, oldest first.
 */
export function mergedMessage(message: string, brought: readonly string[]): string {
  const own = withoutTrailers(plain(message).split('\n').slice(1))
  const subjects = brought.slice(0, MAX_BROUGHT).map((one) => plain(one).split('\n')[0] ?? '')
  const [first, ...rest] = subjects
  if (first === undefined) return message
  if (own === '' && rest.length === 0) return brought[0] ?? message
  const [title, listed] = own === '' ? [first, rest] : [own, subjects]
  return [title, '', ...listed.map((subject) => `- ${subject}`)].join('\n')
}

const HOW =
  'Make this change in the repository. It is judged by tests that are not here; tests that the repository has keep passing.'

/** Builds an instruction for an empty message; the names of its tests have to replace it. */
export function instructionFromTests(message: string): Instruction {
  const title = (plain(message).split('\n')[0] ?? '').trim().slice(0, MAX_TITLE) || 'A change'
  return { title, text: HOW, category: 'change' }
}

/** Appends the names of the tests that fail before the change and pass after it. */
export function withTestNames(text: string, names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `- ${name.replace(/\s+/g, ' ')}`)
  const rest = names.length > MAX_NAMES ? [`- and ${names.length - MAX_NAMES} more`] : []
  return [text, 'These tests fail now, and have to pass:', [...shown, ...rest].join('\n')].join(
    '\n\n',
  )
}

function plain(message: string): string {
  return message
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
}

/** Returns true for at least two words, one of which describes the change. */
function saysSomething(subject: string): boolean {
  const words = subject.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []
  return words.length >= 2 && words.some((word) => !EMPTY.has(word) && !/^\d+$/.test(word))
}

/** Removes trailers: lines at the end, after an empty line or another trailer. */
function withoutTrailers(lines: readonly string[]): string {
  const rest = lines.filter((line) => !TRAILER.test(line.trim()))
  return rest
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
