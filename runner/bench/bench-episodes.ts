import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Episode, parseBundle } from '#lib/domain/record/index.ts'
import { listProcesses } from '../sandbox/process/list-processes.ts'
import { type Env, RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'

// ts-bench, measured on a comparable machine: 25 exercises, warm caches, idle machine.
const SEED = { exercises: 25, wallSeconds: 195, cpuSeconds: 217, peakBytes: 1.26e9 }
/** The command line as a user starts it. */
export const CLI = join(PROJECT_ROOT, 'runner', 'cli', 'proofboard.mjs')

type Sample = CommandCost & { episodes: Episode[] }

/** Overhead of one TypeScript episode with an instant subject, as ratios to ts-bench. */
export async function benchEpisodes(suite: string, rounds: number): Promise<void> {
  work = mkdtempSync(join(tmpdir(), 'proofboard-bench-'))
  try {
    const floor = await bareNode()
    await sample(suite, 1) // fills the caches, as for the figures of ts-bench
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
  const seconds: number[] = []
  for (let round = 0; round < 10; round++)
    seconds.push((await measureCommand([process.execPath, '-e', '0'], RUNNER_ENV)).wallSeconds)
  return middle(seconds)
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
  const cost = await measureCommand(argv, RUNNER_ENV)
  const bundle = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  if (!bundle.ok) throw new Error('the run left not a complete result')
  const unsolved = bundle.value.episodes
    .filter(({ outcome }) => outcome.status !== 'solved')
    .map(({ taskId }) => taskId)
  if (unsolved.length > 0)
    process.stdout.write(`not solved by its reference: ${unsolved.join(', ')}\n`)
  return { ...cost, episodes: bundle.value.episodes }
}

function print(suite: string, floor: number, best: Sample, median: Sample): void {
  const count = best.episodes.length
  const per = (cost: CommandCost) => cost.wallSeconds / count
  const phase = (name: keyof Episode['effort']['wall']) =>
    middle(best.episodes.map((episode) => episode.effort.wall[name]))
  const inEpisodes =
    best.episodes.reduce((sum, episode) => sum + episode.effort.wall.totalMs, 0) / 1000
  const lines = [
    `suite ${suite}: ${count} episodes, reference as instant subject, concurrency 1, one cold command, start included`,
    `                     wall/episode   CPU/episode   peak memory`,
    `ts-bench             ${seconds(SEED.wallSeconds / SEED.exercises)}        ${seconds(SEED.cpuSeconds / SEED.exercises)}       ${gigabytes(SEED.peakBytes)}`,
    `here, best round     ${seconds(per(best))}        ${seconds(best.cpuSeconds / count)}       ${best.peakBytes === null ? '–' : gigabytes(best.peakBytes)}`,
    `here, median round   ${seconds(per(median))}        ${seconds(median.cpuSeconds / count)}       ${median.peakBytes === null ? '–' : gigabytes(median.peakBytes)}`,
    `ts-bench : here      ${ratio(SEED.wallSeconds / SEED.exercises, per(best))}          ${ratio(SEED.cpuSeconds / SEED.exercises, best.cpuSeconds / count)}         ${best.peakBytes === null ? '–' : ratio(SEED.peakBytes, best.peakBytes)}`,
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

const GOAL_MS = 250
const FULL_ROW = 12 * 20

type Options = { libraries: readonly string[]; repetitions: number; concurrency: number }

/** Measures the harness's overhead of a browser episode, and the duration of a row: whole runs by the command line. */
export async function benchBrowser(options: Options): Promise<void> {
  const { libraries, repetitions, concurrency } = options
  const work = mkdtempSync(join(tmpdir(), 'proofboard-bench-'))
  say(`browser episodes, all workflows x ${repetitions}, ${concurrency} at a time; p50 (p95) in ms`)
  const heads = ['library', 'browser', 'solved', 'harness', 'connect', 'subject', 'waited', 'wall']
  say(cells([...heads, '12 x 20']))
  try {
    for (const library of libraries)
      for (const browser of ['reused', 'cold'] as const)
        await measure(library, browser, options, join(work, `${library}-${browser}`))
    say(`goal: the harness's own part under ${GOAL_MS} ms with a reused browser`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function measure(
  library: string,
  browser: 'reused' | 'cold',
  { repetitions, concurrency }: Options,
  out: string,
): Promise<void> {
  const argv = [process.execPath, CLI, 'run', '--suite', 'browser', '--subject', library]
  argv.push(
    '--browser',
    browser,
    '--repetitions',
    String(repetitions),
    '--concurrency',
    String(concurrency),
    '--stop-with-stdin',
  )
  const { wallSeconds } = await measureCommand([...argv, '--out', out, '--json'], RUNNER_ENV)
  const bundle = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  if (!bundle.ok) throw new Error(`${library}: the run left not a complete result`)
  const episodes = bundle.value.episodes
  const solved = episodes.filter(({ outcome }) => outcome.status === 'solved').length
  const part = (read: (episode: Episode) => number | null | undefined) =>
    spread(episodes.flatMap((episode) => read(episode) ?? []))
  say(
    cells([
      library,
      browser,
      `${solved}/${episodes.length}`,
      part((episode) => episode.browser?.harnessMs),
      part((episode) => episode.browser?.connectMs),
      part((episode) => episode.effort.wall.subjectMs),
      waitedShare(episodes),
      `${wallSeconds.toFixed(0)} s`,
      `${((wallSeconds / episodes.length) * (FULL_ROW / 60)).toFixed(1)} min`,
    ]),
  )
  if (browser === 'reused') printParts(episodes)
}

/** Share of the time that browser and library waited for a CPU: above a few percent the machine was not idle. */
function waitedShare(episodes: readonly Episode[]): string {
  const loads = episodes.flatMap(({ browser }) => browser?.load ?? [])
  const wanted = loads.reduce((sum, { wantedMs }) => sum + (wantedMs ?? 0), 0)
  const waited = loads.reduce((sum, { waitedMs }) => sum + (waitedMs ?? 0), 0)
  return wanted === 0 ? '–' : `${Math.round((waited / wanted) * 100)} %`
}

/** Prints the harness's overhead by part. Parallel parts add up to more than the whole. */
function printParts(episodes: readonly Episode[]): void {
  const names = new Set(episodes.flatMap(({ browser }) => Object.keys(browser?.harnessParts ?? {})))
  const rows = [...names].map((name) => ({
    name,
    values: episodes.flatMap(({ browser }) => browser?.harnessParts?.[name] ?? []),
  }))
  const whole = episodes.reduce((sum, { browser }) => sum + (browser?.harnessMs ?? 0), 0)
  for (const { name, values } of rows) {
    const share = values.reduce((sum, ms) => sum + ms, 0) / whole
    say(cells(['', '', '', spread(values), `${Math.round(share * 100)} %`, name]))
  }
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

/**
 * One command's cost: wall seconds, CPU seconds of all its processes, peak memory of its tree (null except on Linux).
 */
export type CommandCost = {
  wallSeconds: number
  cpuSeconds: number
  peakBytes: number | null
  stdout: string
  exitCode: number | null
}

/**
 * Runs a program under a shell that prints `times` at the end, and samples the tree's memory twenty times a second. Its
 * stdin closes when this process ends, so a run with `--stop-with-stdin` ends with it.
 */
export async function measureCommand(
  argv: readonly string[],
  env: Env,
  cwd?: string,
): Promise<CommandCost> {
  const start = performance.now()
  const child = spawn('/bin/sh', ['-c', '"$@"; code=$?; times >&3; exit $code', 'sh', ...argv], {
    cwd,
    env: env as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
  })
  let stdout = ''
  let times = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  ;(child.stdio[3] as NodeJS.ReadableStream)
    .setEncoding('utf8')
    .on('data', (text: string) => (times += text))
  let peakBytes = 0
  const looking = setInterval(
    () => (peakBytes = Math.max(peakBytes, treeBytes(child.pid ?? 0))),
    50,
  )
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearInterval(looking)
  const wallSeconds = (performance.now() - start) / 1000
  return {
    wallSeconds,
    cpuSeconds: parseTimes(times),
    peakBytes: process.platform === 'linux' ? peakBytes : null,
    stdout,
    exitCode,
  }
}

/** Parses the second line of `times`: the children's user and system time as `0m1.25s 0m0.10s`. */
function parseTimes(text: string): number {
  const [, children = ''] = text.trim().split('\n')
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )
}

function treeBytes(rootPid: number): number {
  if (process.platform !== 'linux') return 0
  const all = listProcesses()
  const members = new Set([rootPid])
  for (let before = 0; before < members.size; ) {
    before = members.size
    for (const one of all) if (members.has(one.parent)) members.add(one.pid)
  }
  return [...members].reduce((sum, pid) => sum + residentBytes(pid), 0)
}

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * 4096
  } catch {
    return 0
  }
}
