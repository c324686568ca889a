import type { REPORT_FORMATS } from '#lib/domain/tasks/index.ts'
import { writeError } from '../../cli/output.ts'
import { guessRunner } from '../../project/guess-runner.ts'
import type { TestRunner } from '../../project/test-runner.ts'
import { describeUnread, exampleFor, listPackages } from '../../project/why-no-runner.ts'
import { usageError } from '../../runner-error.ts'
import { type History, listTree } from './open-history.ts'

type RunnerOptions = {
  verify?: string
  report?: (typeof REPORT_FORMATS)[number]
  setup?: string[]
  offline?: boolean
}

/** Returns the test runner from the options, or guesses it from the files of the newest commit and prints the guess. */
export async function findRunner(
  history: History,
  head: string,
  options: RunnerOptions,
): Promise<TestRunner> {
  const { verify, report, setup } = options
  if (verify !== undefined && report !== undefined)
    return { command: verify, format: report, setup: setup ?? [], protect: [] }
  const runner = await guessAt(history, head, options)
  if (runner === null) {
    const files = await readManifests(history, head)
    throw usageError(
      sayUnguessed([...files.keys()], (path) => files.get(path) ?? null),
      '--verify',
    )
  }
  writeError(`guessed: ${runner.command} (${runner.format})`)
  if (setup === undefined)
    writeError(`guessed set-up: ${runner.setup.length > 0 ? runner.setup.join('; ') : 'none'}`)
  return runner
}

/** The runner that one commit's own files name; null = none, or it was given. */
export async function guessAt(
  history: History,
  commit: string,
  { verify, setup, offline = false }: RunnerOptions,
): Promise<TestRunner | null> {
  if (verify !== undefined) return null
  const files = await readManifests(history, commit)
  const guessed = guessRunner((path) => files.get(path) ?? null, { offline })
  return guessed && { ...guessed, setup: setup ?? guessed.setup }
}

const MANIFEST =
  /^(?:[^/]+\/){0,2}package\.json$|^(?:pyproject\.toml|setup\.(?:cfg|py)|tox\.ini|go\.mod)$/

/** Lists the paths of a commit, with the text of its manifests. */
async function readManifests(history: History, head: string): Promise<Map<string, string>> {
  const files = await listTree(history, head)
  const wanted = files.filter(({ path }) => MANIFEST.test(path))
  const texts = await history.readBlobs(wanted.map(({ id }) => id))
  const known = new Map(files.map(({ path }) => [path, '']))
  // Folders are asked for by their names.
  for (const { path } of files) known.set(path.split('/')[0] ?? '', known.get(path) ?? '')
  for (const [at, { path }] of wanted.entries()) known.set(path, texts[at]?.toString('utf8') ?? '')
  return known
}

function sayUnguessed(paths: readonly string[], read: (path: string) => string | null): string {
  const why = describeUnread(read)
  const because = why === null ? '' : `, because ${why}`
  const examples = listPackages(paths).flatMap((folder) => exampleFor(folder, read) ?? [])
  const [example] = why === null ? examples : []
  const such = example === undefined ? '' : `, such as ${example} for one of its packages`
  return `cannot guess how the tests of this repository run${because}: give --verify and --report${such}`
}
