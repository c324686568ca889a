import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseBundle } from '#lib/domain/bundle.ts'
import { isMeasured, type MeasuredEpisode } from '#lib/domain/episode.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import { type CommandCost, measureCommand } from './measure-command.ts'

// The seed's harness, measured on a machine of the same kind: 25 exercises, warm caches, quiet machine.
const SEED = { exercises: 25, wallSeconds: 195, cpuSeconds: 217, peakBytes: 1.26e9 }
const CLI = join(PROJECT_ROOT, 'runner', 'cli', 'proofboard.mjs')

type Sample = CommandCost & { episodes: MeasuredEpisode[] }

/** Overhead of one TypeScript episode with an instant subject, as ratios to the seed's harness. */
export async function benchEpisodes(suite: string, rounds: number): Promise<void> {
  work = mkdtempSync(join(tmpdir(), 'proofboard-bench-'))
  try {
    const floor = await bareNode()
    await sample(suite, 1) // fills the caches, as the seed's figures were taken warm
    const samples: Sample[] = []
    for (let round = 0; round < rounds; round++) samples.push(await sample(suite, 1))
    samples.sort((a, b) => a.wallSeconds - b.wallSeconds)
    const best = samples[0] as Sample
    const median = samples[Math.floor(samples.length / 2)] as Sample
    print(suite, floor, best, median)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

let work = ''

async function bareNode(): Promise<number> {
  const walls: number[] = []
  for (let round = 0; round < 10; round++)
    walls.push((await measureCommand([process.execPath, '-e', '0'], OWN_ENV)).wallSeconds)
  return middle(walls)
}

async function sample(suite: string, concurrency: number): Promise<Sample> {
  const out = mkdtempSync(join(work, 'run-'))
  const argv = [
    process.execPath,
    CLI,
    'run',
    '--suite',
    suite,
    '--subject',
    'reference',
    '--concurrency',
    String(concurrency),
    '--out',
    out,
    '--json',
    '--stop-with-stdin',
  ]
  const cost = await measureCommand(argv, OWN_ENV)
  const bundle = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  if (!bundle.ok) throw new Error('the run left not a complete result')
  const unsolved = bundle.value.episodes
    .filter(({ outcome }) => outcome.status !== 'solved')
    .map(({ taskId }) => taskId)
  if (unsolved.length > 0)
    process.stdout.write(`not solved by its reference: ${unsolved.join(', ')}\n`)
  return { ...cost, episodes: bundle.value.episodes.filter(isMeasured) }
}

function print(suite: string, floor: number, best: Sample, median: Sample): void {
  const count = best.episodes.length
  const per = (cost: CommandCost) => cost.wallSeconds / count
  const phase = (name: keyof MeasuredEpisode['effort']['wall']) =>
    middle(best.episodes.map((episode) => episode.effort.wall[name]))
  const inEpisodes =
    best.episodes.reduce((sum, episode) => sum + episode.effort.wall.totalMs, 0) / 1000
  const lines = [
    `suite ${suite}: ${count} episodes, reference as instant subject, concurrency 1, one cold command, start included`,
    `                     wall/episode   CPU/episode   peak memory`,
    `seed's harness       ${seconds(SEED.wallSeconds / SEED.exercises)}        ${seconds(SEED.cpuSeconds / SEED.exercises)}       ${gigabytes(SEED.peakBytes)}`,
    `here, best round     ${seconds(per(best))}        ${seconds(best.cpuSeconds / count)}       ${best.peakBytes === null ? '–' : gigabytes(best.peakBytes)}`,
    `here, median round   ${seconds(per(median))}        ${seconds(median.cpuSeconds / count)}       ${median.peakBytes === null ? '–' : gigabytes(median.peakBytes)}`,
    `ratio seed : here    ${ratio(SEED.wallSeconds / SEED.exercises, per(best))}          ${ratio(SEED.cpuSeconds / SEED.exercises, best.cpuSeconds / count)}         ${best.peakBytes === null ? '–' : ratio(SEED.peakBytes, best.peakBytes)}`,
    `where it goes (best round, median of an episode, ms): prepare ${phase('prepareMs').toFixed(1)}, subject ${phase('subjectMs').toFixed(1)}, restore ${phase('restoreMs').toFixed(1)}, verify ${phase('verifyMs').toFixed(1)}, evidence ${phase('evidenceMs').toFixed(1)}, whole ${phase('totalMs').toFixed(1)}`,
    `start and end of the command: ${seconds(best.wallSeconds - inEpisodes)} of ${seconds(best.wallSeconds)}`,
    `floor: bare node ${(floor * 1000).toFixed(0)} ms; an episode costs ${(per(best) / floor).toFixed(1)} bare nodes`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function middle(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

const seconds = (value: number) => `${value.toFixed(2)} s`
const gigabytes = (value: number) => `${(value / 1e9).toFixed(2)} GB`
const ratio = (seed: number, ours: number) => `${(seed / ours).toFixed(1)} x`
