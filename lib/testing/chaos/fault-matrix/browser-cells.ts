import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUNGS } from '../../../domain/record/browser.ts'
import { type BrowserFaultKind, type Episode, parseBundle } from '../../../domain/record/index.ts'
import { startProofboard } from '../../factories/proofboard-command.ts'

type Options = {
  suite: string
  work: string
  fault: BrowserFaultKind | null
  tasks: readonly string[]
  repetitions: string
  concurrency: string
}

/** Runs one library on some tasks with one fault or none; returns the last attempts, or why there are none. */
export async function playColumn(
  library: string,
  { suite, work, fault, tasks, repetitions, concurrency }: Options,
): Promise<Episode[] | string> {
  const out = join(work, `${library}-${fault ?? 'none'}`)
  const args = ['run', '--suite', suite, '--subject', library, '--tasks', tasks.join(',')]
  args.push('--repetitions', repetitions, '--concurrency', concurrency, '--out', out, '--json')
  if (fault !== null) args.push('--fault', fault)
  const { code, stderr } = await startProofboard(work, args).ended
  if (code === 2) return stderr.trim().split('\n').at(-1) ?? 'refused'
  const bundle = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  if (!bundle.ok) throw new Error(`${library}: the run left not a complete result`)
  const last = new Map<string, Episode>()
  for (const episode of bundle.value.episodes)
    last.set(`${episode.taskId}/${episode.repetition}`, episode)
  return [...last.values()]
}

export const NOT_TAKEN = '–'

/** Describes one cell of the matrix briefly; `hasBaseline` = the library passes this task without a fault. */
export function describeCell(
  played: ReadonlyMap<string, Episode[] | string>,
  library: string,
  taskId: string,
  hasBaseline: boolean,
): string {
  const episodes = played.get(library)
  if (episodes === undefined || typeof episodes === 'string') return `skipped: ${episodes}`
  const own = episodes.filter((episode) => episode.taskId === taskId)
  if (own.length === 0) return NOT_TAKEN
  const solved = own.filter(({ outcome }) => outcome.status === 'solved').length
  if (own.every(({ fault }) => fault === null)) return plainWords(own, solved)
  if (!hasBaseline) return 'no baseline'
  const fired = own.filter(({ fault }) => fault?.firedAt)
  if (fired.length < own.length) return `fired ${fired.length}/${own.length}`
  return [`recovered ${solved}/${own.length}`, rungOf(own), detection(own)]
    .filter(Boolean)
    .join(' ')
}

function plainWords(own: readonly Episode[], solved: number): string {
  if (solved > 0) return `solved ${solved}/${own.length}`
  return own[0]?.outcome.status ?? NOT_TAKEN
}

function rungOf(own: readonly Episode[]): string {
  const places = own.map(({ browser }) => RUNGS.indexOf(browser?.recovery?.rung ?? 'automatic'))
  return RUNGS[Math.max(...places)] ?? ''
}

function detection(own: readonly Episode[]): string {
  const times = own.flatMap(({ browser }) => browser?.recovery?.detectMs ?? [])
  times.sort((a, b) => a - b)
  const middle = times[Math.floor(times.length / 2)]
  return middle === undefined ? '' : `${(middle / 1000).toFixed(1)} s`
}
