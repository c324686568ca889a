import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { digestJson } from '#lib/domain/digest/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { writeAtomic } from '../../engine/files.ts'
import { usageError } from '../../runner-error.ts'
import { workThrough } from '../../work-through.ts'
import type { Commit } from './choose-candidate.ts'
import { describeFall, type Fall } from './fall-reasons.ts'
import { type JudgedCommit, type Mined, readMined, writeMined } from './mined-file.ts'
import type { History } from './open-history.ts'
import { Setups } from './setups.ts'
import { siftCommits, type Work } from './sift-commits.ts'
import { describeFallen, type MineOptions, slug, tryCandidate } from './try-candidate.ts'
import { removeTaskDrafts } from './write-task.ts'

const DRAFTS = '.drafts'

/**
 * Judges the commits of a history, the candidates among them most promising first, and writes a suite of the admitted
 * ones with `mined.json`. Commits judged by an earlier call are skipped; whatever ends the process leaves only complete
 * tasks.
 */
export async function mineHistory(
  history: History,
  commits: readonly Commit[],
  options: MineOptions,
): Promise<Mined> {
  const state = await openState(history, options)
  const { limit, judging } = options
  const sifted = siftCommits(
    commits.filter(({ id }) => !state.judged.has(id)),
    options,
  )
  for (const { commit, fall } of sifted.fallen) state.add(describeFallen(commit, fall))
  await state.save()
  options.onSifted(sifted.work.length, commits.length)
  let left = (limit ?? Number.POSITIVE_INFINITY) - state.admitted()
  const enough = new AbortController()
  const signal = AbortSignal.any([judging.signal, enough.signal])
  const trials = {
    drafts: join(options.out, DRAFTS),
    seen: new Map([...state.judged.values()].flatMap(seenBefore)),
    setups: new Setups(),
    // The last task ends the trials beside it: there are never more than asked for.
    claim: () => {
      left -= 1
      if (left === 0) enough.abort()
      return left >= 0
    },
  }
  const judge = async (next: Work) => {
    const own = { ...options, judging: { ...judging, signal }, trials }
    const judged = await tryCandidate(history, next, own)
    if (judged === null) return
    state.add(judged)
    options.onJudged(judged)
    await state.save()
  }
  await workThrough(sifted.work, options.concurrency, judge, () => !signal.aborted && left > 0)
  await removeTaskDrafts(trials.drafts)
  return state.save()
}

const seenBefore = ({ change, commit }: JudgedCommit): [string, string][] =>
  change === null ? [] : [[change, commit]]

type State = {
  judged: ReadonlyMap<string, JudgedCommit>
  admitted: () => number
  add: (judged: JudgedCommit) => void
  save: () => Promise<Mined>
}

async function openState(history: History, options: MineOptions): Promise<State> {
  const { out, sieve, task, runs, nameTests } = options
  const { isTest: _, ...written } = task
  const { isSteering: __, ...chosen } = sieve
  const digest = digestJson({ from: history.from, chosen, written, runs, nameTests })
  await mkdir(out, { recursive: true })
  const before = readMined(out)
  if (before !== null && before.options !== digest)
    throw usageError(
      `${out} was mined from ${before.repository} with other options: repeat them, or choose another --out`,
      '--out',
    )
  if (before === null && existsSync(join(out, 'suite.json')))
    throw usageError(`${out} is a suite already: choose another --out`, '--out')
  await removeTaskDrafts(join(out, DRAFTS))
  const judged = new Map(before?.commits.map((one) => [one.commit, one]))
  let saving: Promise<unknown> = Promise.resolve()
  const save = () => {
    const what = { repository: history.from, options: digest, commits: [...judged.values()] }
    const saved = saving.then(() => writeMined(out, what))
    saving = saved.catch(() => {})
    return saved
  }
  await writeSuite(out, history)
  return {
    judged,
    admitted: () => [...judged.values()].filter(({ verdict }) => verdict === 'admitted').length,
    add: (one) => void judged.set(one.commit, one),
    save,
  }
}

async function writeSuite(out: string, { from }: History): Promise<void> {
  if (existsSync(join(out, 'suite.json'))) return
  const name =
    from
      .replace(/\.git$|\/+$/g, '')
      .split(/[/:]/)
      .at(-1) || 'repository'
  const suite = {
    suiteId: `mined-${slug(name, 40)}`,
    kind: 'repository',
    title: `Mined from ${name}`.slice(0, 200),
    version: '1.0.0',
    description: `Commits of ${name}, each with the tests that fail before and pass after it.`,
    source: null,
  }
  await writeAtomic(join(out, 'suite.json'), `${JSON.stringify(suite, null, 2)}\n`)
}

/** Formats the counts of rejected commits by reason. */
export function describeCounts({ counts }: Mined): string[] {
  const fallen = Object.entries(counts.fellOut).sort(([, a], [, b]) => b - a)
  return [
    `${countOf(counts.admitted, 'task')} of ${countOf(counts.judged, 'commit')}`,
    ...fallen.map(([code, count]) => {
      const reason = describeFall({ code: code as Fall['code'], detail: '' })
      return `${String(count).padStart(6)} no task: ${reason}`
    }),
  ]
}
