import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { parseJson } from '#lib/domain/text/index.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { fetchTrack } from '../suites/exercism/fetch-track.ts'
import { readTaskFolder } from '../suites/read-task-folder.ts'
import { CLI, type CommandCost, measureCommand } from './bench-episodes.ts'

/** The default tasks; each takes the other harness several seconds. */
const USUAL = 'acronym,binary-search,bowling,pascals-triangle,wordy'
const TRACK = join('repos', 'exercism-typescript')
const SUITE = 'beside'
const THEIR_LIMIT_SECONDS = '900'

type Options = { tasks: string | undefined; say?: (line: string) => void }

/**
 * Runs both harnesses on the references of the same exercises, one command after the other, alternating the order.
 * Prints a sentence if the checkout or its runtime is missing.
 */
export async function benchBeside(
  checkout: string,
  { tasks, say = print }: Options,
): Promise<void> {
  const theirs = findHarness(resolve(checkout))
  if (typeof theirs === 'string') return say(`compared with ts-bench: skipped, ${theirs}`)
  const work = mkdtempSync(join(tmpdir(), 'proofboard-beside-'))
  try {
    const slugs = (tasks ?? USUAL).split(',')
    const missing = slugs.filter((slug) => !existsSync(join(theirs.practice, slug)))
    if (missing.length > 0)
      return say(`compared with ts-bench: skipped, its track has no exercise ${missing.join(', ')}`)
    layTrack(theirs, slugs, work)
    const imported = await importTasks(theirs, slugs, work)
    const { admitted } = imported
    say(`judging the reference of each exercise, cold commands; ${theirs.versions}`)
    say(line(['exercise', 'ours wall', 'CPU', 'ts-bench wall', 'CPU', 'ratio wall', 'CPU']))
    const pairs: Pair[] = []
    for (const [index, slug] of admitted.entries()) {
      const pair = await measurePair(theirs, { slug, work, oursFirst: index % 2 === 0 })
      pairs.push(pair)
      say(describe(slug, pair))
    }
    for (const slug of imported.rejected)
      say(`${slug} was not admitted here, so it is not compared`)
    for (const slug of imported.unsolved)
      say(`${slug} is not compared: ts-bench does not pass its reference on this machine`)
    if (pairs.length > 0) say(describe('all', addUp(pairs)))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

type Harness = {
  folder: string
  practice: string
  /** The command without its arguments. */
  command: readonly string[]
  versions: string
}

const manifestSchema = z.object({
  name: z.literal('ts-bench'),
  version: z.string().default('unknown'),
  bin: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
})

/** The other harness as described by its checkout; a text explains why it cannot run. */
function findHarness(folder: string): Harness | string {
  const manifest = readManifest(folder)
  if (!manifest) return `${folder} is not a checkout of ts-bench`
  const practice = join(folder, TRACK, 'exercises', 'practice')
  if (!existsSync(practice))
    return `${join(folder, TRACK)} has no exercises: run "git submodule update --init" in the checkout`
  const entry = join(folder, manifest.bin['ts-bench'] ?? 'src/index.ts')
  if (!existsSync(entry)) return `${entry} does not exist`
  const wantsBun = existsSync(join(folder, 'bun.lock')) || '@types/bun' in manifest.devDependencies
  const runtime = wantsBun ? 'bun' : process.execPath
  const version = ask(runtime, ['--version'])
  if (version === null) return 'its checkout requires bun, which is not installed'
  const commit = ask('git', ['-C', folder, 'rev-parse', '--short', 'HEAD'])
  const named = `ts-bench ${manifest.version}${commit ? ` (${commit})` : ''} with ${wantsBun ? 'bun' : 'node'} ${version}`
  const versions = `${named}; ours with node ${process.version}`
  return { folder, practice, command: [runtime, entry], versions }
}

function readManifest(folder: string): z.infer<typeof manifestSchema> | null {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8')
    return manifestSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function ask(command: string, args: readonly string[]): string | null {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return null
  }
}

/** Copies the exercises with their references in place of the stubs: the checkout stays unchanged. */
function layTrack({ practice, folder }: Harness, slugs: readonly string[], work: string): void {
  for (const slug of slugs) {
    const copy = join(work, 'track', 'exercises', 'practice', slug)
    cpSync(join(practice, slug), copy, { recursive: true })
  }
  const notes = join(folder, TRACK, 'CLAUDE.md') // required by ts-bench
  writeFileSync(join(work, 'track', 'CLAUDE.md'), existsSync(notes) ? readFileSync(notes) : '')
}

/** The exercises that both can judge, and the others by reason. */
type Imported = Record<'admitted' | 'rejected' | 'unsolved', readonly string[]>

/** Imports the same files as a suite of ours, and gives the other harness the references of the admitted ones. */
async function importTasks(
  theirs: Harness,
  slugs: readonly string[],
  work: string,
): Promise<Imported> {
  const source = await fetchTrack(join(work, 'track'), null)
  const ask = ['suite', 'import', 'exercism', '--from', source.folder, '--as', SUITE, '--json']
  const { stdout } = await ours(work, [...ask, '--tasks', slugs.join(','), '--concurrency', '1'])
  const rejected =
    importSchema.safeParse(parseJson(stdout.trim().split('\n').at(-1) ?? '')).data?.rejected ?? null
  if (rejected === null) return { admitted: [], rejected: slugs, unsolved: [] }
  const known = slugs.filter((slug) => rejected.every(({ taskId }) => taskId !== slug))
  for (const slug of known) {
    const { reference } = readTaskFolder(join(work, 'data', 'suites', SUITE, slug))
    for (const { path, text } of reference)
      writeFileSync(join(work, 'track', 'exercises', 'practice', slug, path), text)
  }
  // Packages are installed before anything is measured: the figures of ts-bench's README are from warm caches.
  const admitted: string[] = []
  for (const slug of known)
    if (hasPassed(await judgeTheirs(theirs, slug, work))) admitted.push(slug)
  return {
    admitted,
    rejected: slugs.filter((slug) => !known.includes(slug)),
    unsolved: known.filter((slug) => !admitted.includes(slug)),
  }
}

/** Reads its summary, because it exits with 0 even if a test failed. */
function hasPassed({ exitCode, stdout }: CommandCost): boolean {
  return exitCode === 0 && !/Failed: [1-9]/.test(stdout)
}

const importSchema = z.object({ rejected: z.array(z.object({ taskId: z.string() })) })

type Pair = { ours: CommandCost; theirs: CommandCost }

async function measurePair(
  theirs: Harness,
  { slug, work, oursFirst }: { slug: string; work: string; oursFirst: boolean },
): Promise<Pair> {
  const out = mkdtempSync(join(work, 'run-'))
  const args = ['run', '--suite', SUITE, '--subject', 'reference', '--tasks', slug]
  const run = () => ours(work, [...args, '--out', out, '--json', '--stop-with-stdin'])
  if (oursFirst) return { ours: await run(), theirs: await judgeTheirs(theirs, slug, work) }
  const first = await judgeTheirs(theirs, slug, work)
  return { ours: await run(), theirs: first }
}

function ours(work: string, args: readonly string[]): Promise<CommandCost> {
  const env = { ...RUNNER_ENV, PROOFBOARD_DATA_DIR: join(work, 'data') }
  return measureCommand([process.execPath, CLI, ...args], env)
}

/** `--test-only`: the judging step alone, without an agent. It resolves the track from its own folder. */
function judgeTheirs({ folder, command }: Harness, slug: string, work: string) {
  const track = relative(folder, join(work, 'track'))
  const argv = [...command, '--test-only', '--exercise', slug, '--exercism-path', track]
  return measureCommand([...argv, '--timeout', THEIR_LIMIT_SECONDS], RUNNER_ENV, folder)
}

function addUp(pairs: readonly Pair[]): Pair {
  return {
    ours: sumCosts(pairs.map((pair) => pair.ours)),
    theirs: sumCosts(pairs.map((pair) => pair.theirs)),
  }
}

/** Sums costs; the exit code is the first failing one. */
function sumCosts(costs: readonly CommandCost[]): CommandCost {
  const total = (read: (cost: CommandCost) => number) =>
    costs.reduce((sum, cost) => sum + read(cost), 0)
  return {
    wallSeconds: total(({ wallSeconds }) => wallSeconds),
    cpuSeconds: total(({ cpuSeconds }) => cpuSeconds),
    peakBytes: null,
    stdout: '',
    exitCode: costs.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0,
  }
}

function describe(name: string, { ours: own, theirs }: Pair): string {
  const cells = [
    ...[name, seconds(own.wallSeconds), seconds(own.cpuSeconds)],
    ...[seconds(theirs.wallSeconds), seconds(theirs.cpuSeconds)],
    `${(theirs.wallSeconds / own.wallSeconds).toFixed(1)} x`,
    own.cpuSeconds > 0 ? `${(theirs.cpuSeconds / own.cpuSeconds).toFixed(1)} x` : '–',
  ]
  const ends = [
    ['ours', own.exitCode],
    ['ts-bench', theirs.exitCode],
  ] as const
  const message = ends.flatMap(([who, code]) => (code === 0 ? [] : `${who} failed`)).join(', ')
  return `${line(cells)}${message ? `  (${message})` : ''}`
}

const seconds = (value: number) => `${value.toFixed(2)} s`

function line([name = '', ...cells]: readonly string[]): string {
  return name.padEnd(26) + cells.map((cell) => cell.padStart(14)).join('')
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
