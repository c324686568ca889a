import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseBundle } from '#lib/domain/bundle.ts'
import { isMeasured, type MeasuredEpisode } from '#lib/domain/episode.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import { measureCommand } from './measure-command.ts'

const CLI = join(PROJECT_ROOT, 'runner', 'cli', 'proofboard.mjs')
const GOAL_MS = 250
const FULL_ROW = 12 * 20

type Options = { libraries: readonly string[]; repetitions: number }

/** What the harness adds to a browser episode, and how long a row takes: whole runs by the command line. */
export async function benchBrowser({ libraries, repetitions }: Options): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'proofboard-bench-'))
  say(`browser episodes, all workflows x ${repetitions}, two at a time; p50 (p95) in ms`)
  say(cells(['library', 'browser', 'solved', 'harness', 'connect', 'subject', 'wall', '12 x 20']))
  try {
    for (const library of libraries)
      for (const browser of ['reused', 'cold'] as const)
        await measure(library, browser, repetitions, join(work, `${library}-${browser}`))
    say(`goal: the harness's own part under ${GOAL_MS} ms with a reused browser`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function measure(
  library: string,
  browser: 'reused' | 'cold',
  repetitions: number,
  out: string,
): Promise<void> {
  const argv = [process.execPath, CLI, 'run', '--suite', 'browser', '--subject', library]
  argv.push(
    '--browser',
    browser,
    '--repetitions',
    String(repetitions),
    '--concurrency',
    '2',
    '--stop-with-stdin',
  )
  const { wallSeconds } = await measureCommand([...argv, '--out', out, '--json'], OWN_ENV)
  const bundle = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  if (!bundle.ok) throw new Error(`${library}: the run left not a complete result`)
  const episodes = bundle.value.episodes.filter(isMeasured)
  const solved = episodes.filter(({ outcome }) => outcome.status === 'solved').length
  const part = (read: (episode: MeasuredEpisode) => number | null | undefined) =>
    spread(episodes.flatMap((episode) => read(episode) ?? []))
  say(
    cells([
      library,
      browser,
      `${solved}/${episodes.length}`,
      part((episode) => episode.browser?.harnessMs),
      part((episode) => episode.browser?.connectMs),
      part((episode) => episode.effort.wall.subjectMs),
      `${wallSeconds.toFixed(0)} s`,
      `${((wallSeconds / episodes.length) * (FULL_ROW / 60)).toFixed(1)} min`,
    ]),
  )
}

function spread(values: number[]): string {
  values.sort((a, b) => a - b)
  const at = (share: number) =>
    values[Math.min(values.length - 1, Math.floor(values.length * share))]
  const [middle, high] = [at(0.5), at(0.95)]
  if (middle === undefined || high === undefined) return '–'
  return `${middle.toFixed(0)} (${high.toFixed(0)})`
}

function cells(words: readonly string[]): string {
  return words
    .map((word) => word.padEnd(14))
    .join('')
    .trimEnd()
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
