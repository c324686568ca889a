import { listIncluded } from '../board/index.ts'
import { canonicalJson } from '../digest/index.ts'
import { digestRun, type LedgerAction, type LedgerEntry } from '../ledger/index.ts'
import { digestPlan, expandPlan, type SubmittedRun, slotKey } from '../record/index.ts'
import { digestSuite } from '../tasks/index.ts'
import { countOf } from '../text/index.ts'
import type { Archive, Flaw } from './archive.ts'

/**
 * Compares the content with the ledger: suites and plans match their digests, every run with episodes is included, and
 * every included or sealed run is present with exactly what was sealed. The chain and the envelopes were checked when
 * they were read.
 */
export function checkArchive(archive: Archive): Flaw[] {
  const flaws = [
    ...checkSuites(archive),
    ...archive.runs.flatMap(checkRun),
    ...findRepeated(archive.runs),
    ...checkEvaluations(archive),
  ]
  const { entries } = archive
  if (!entries) return flaws
  const runs = new Map(archive.runs.map((run) => [run.runId, run]))
  return [
    ...flaws,
    ...checkVersions(archive, entries),
    ...checkThresholds(archive, entries),
    ...checkFreezing(archive, entries),
    ...checkIncluded(runs, entries),
    ...lastOfKind(entries, 'seal-run').flatMap((last) => checkSeal(last, runs)),
  ]
}

/** A version that the ledger does not name is unknown here: runs on it are stored, but on no board. */
function checkSuites({ suites, runs, entries }: Archive): Flaw[] {
  const flaws: Flaw[] = []
  for (const { suiteId, digest, tasks, protocolVersion } of suites) {
    if (digestSuite(tasks, protocolVersion) === digest) continue
    flaws.push({ place: `suite ${suiteId}`, problem: `its tasks do not give its digest ${digest}` })
  }
  const known = new Set<string>(suites.map(({ digest }) => digest))
  const named = entries && new Set(listVersions(entries))
  for (const { runId, plan } of runs) {
    if (known.has(plan.suiteDigest) || named?.has(plan.suiteDigest) === false) continue
    const problem = `its suite version ${plan.suiteDigest} is not here`
    flaws.push({ place: `run ${runId}`, problem })
  }
  return flaws
}

/** Lists every version of a suite that the ledger names. */
function listVersions(entries: readonly LedgerEntry[]): string[] {
  return entries.flatMap(({ action }) => (action.kind === 'task-version' ? action.to : []))
}

function checkRun({ runId, plan, episodes }: SubmittedRun): Flaw[] {
  const place = `run ${runId}`
  if (digestPlan(plan) !== plan.planDigest)
    return [{ place, problem: 'its plan was edited after it was frozen' }]
  const mismatched = episodes.filter((one) => one.planDigest !== plan.planDigest)
  return mismatched.map(({ episodeId }) => ({
    place: `episode ${episodeId}`,
    problem: `belongs to another plan than ${runId}`,
  }))
}

/** A run that occurs twice in an archive would be counted twice. */
function findRepeated(runs: readonly SubmittedRun[]): Flaw[] {
  const seen = new Set<string>()
  return runs.flatMap(({ runId }) => {
    if (seen.has(runId)) return [{ place: `run ${runId}`, problem: 'is here twice' }]
    seen.add(runId)
    return []
  })
}

/** An evaluation of another envelope, or a second one with the same number, proves nothing. */
function checkEvaluations({ runs, evaluations = [] }: Archive): Flaw[] {
  const seals = new Map(
    runs.flatMap(({ episodes }) => episodes.map(({ episodeId, seal }) => [episodeId, seal])),
  )
  const seen = new Set<string>()
  return evaluations.flatMap(({ episodeId, number, seal }) => {
    const place = `evaluation ${number} of ${episodeId}`
    if (seals.get(episodeId) !== seal) return [{ place, problem: 'is of another envelope' }]
    if (seen.has(place)) return [{ place, problem: 'is here twice' }]
    seen.add(place)
    return []
  })
}

function checkVersions({ current }: Archive, entries: readonly LedgerEntry[]): Flaw[] {
  return lastOfKind(entries, 'task-version').flatMap(({ sequence, action }) => {
    const { target, to } = action
    if (current.get(target) === to) return []
    const problem = `its current version is not the one of ledger entry ${sequence}`
    return [{ place: `suite ${target}`, problem }]
  })
}

/** A suite's own thresholds are those of the last entry about that version; older entries do not state them. */
function checkThresholds({ suites }: Archive, entries: readonly LedgerEntry[]): Flaw[] {
  return suites.flatMap(({ suiteId, digest, thresholds = null }) => {
    const last = entries.findLast(
      ({ action }) => isOfKind(action, 'task-version') && action.to === digest,
    )
    if (!last || !isOfKind(last.action, 'task-version')) return []
    const { thresholds: recorded } = last.action
    if (recorded === undefined || canonicalJson(recorded) === canonicalJson(thresholds)) return []
    const problem = `its thresholds are not those of ledger entry ${last.sequence}`
    return [{ place: `suite ${suiteId}`, problem }]
  })
}

/** No digest covers the time a plan was frozen; the entries that registered or included it state it. */
function checkFreezing({ runs }: Archive, entries: readonly LedgerEntry[]): Flaw[] {
  const latest = new Map<string, LedgerEntry>()
  for (const entry of entries) {
    const { action } = entry
    if (action.kind === 'include' && action.receipt) latest.set(`include ${action.target}`, entry)
    if (action.kind === 'register' && action.plan) latest.set(`register ${action.target}`, entry)
  }
  return runs.flatMap(({ runId, plan }) => {
    const found = [latest.get(`include ${runId}`), latest.get(`register ${plan.planDigest}`)]
    const wrong = found.find((entry) => entry && frozenAtOf(entry.action) !== plan.frozenAt)
    if (!wrong) return []
    const problem = `its plan was frozen at another time than ledger entry ${wrong.sequence} says`
    return [{ place: `run ${runId}`, problem }]
  })
}

function frozenAtOf(action: LedgerAction): string | null | undefined {
  if (action.kind === 'include') return action.receipt?.frozenAt
  return action.kind === 'register' ? action.plan?.frozenAt : undefined
}

function checkIncluded(
  runs: ReadonlyMap<string, SubmittedRun>,
  entries: readonly LedgerEntry[],
): Flaw[] {
  const included = listIncluded(entries)
  const flaws: Flaw[] = []
  for (const { runId, plan, episodes } of runs.values()) {
    const include = included.get(runId)
    if (!include && episodes.length > 0)
      flaws.push({ place: `run ${runId}`, problem: 'has episodes and is not in the ledger' })
    else if (include && include.planDigest !== plan.planDigest)
      flaws.push({ place: `run ${runId}`, problem: 'has another plan than the ledger includes' })
  }
  for (const runId of included.keys()) {
    if ((runs.get(runId)?.episodes.length ?? 0) > 0) continue
    flaws.push({ place: `run ${runId}`, problem: 'the ledger includes it, and it has no episode' })
  }
  return flaws
}

type Sealed = LastOf<'seal-run'>

function checkSeal({ sequence, action }: Sealed, runs: ReadonlyMap<string, SubmittedRun>): Flaw[] {
  const run = runs.get(action.target)
  const episodes = run?.episodes ?? []
  if (digestRun(episodes) === action.digest) return []
  const found =
    episodes.length === action.episodes
      ? `contains other episodes than ledger entry ${sequence} sealed`
      : `contains ${countOf(episodes.length, 'episode')}, but ledger entry ${sequence} sealed ${action.episodes}`
  return [{ place: `run ${action.target}`, problem: `${found}${nameMissing(run)}` }]
}

/** Names slots without an episode and missing earlier attempts, because a digest cannot tell what is missing. */
function nameMissing(run: SubmittedRun | undefined): string {
  if (!run) return ''
  const there = new Set(run.episodes.flatMap((one) => [slotKey(one), one.episodeId]))
  const slots = expandPlan(run.plan, run.shard ?? undefined).map(slotKey)
  const earlier = run.episodes.flatMap((one) => one.previousAttempt?.episodeId ?? [])
  const missing = [...slots, ...earlier].filter((name) => !there.has(name))
  if (missing.length === 0) return ''
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : ''
  return `; nothing is stored for ${missing.slice(0, 5).join(', ')}${more}`
}

type LastOf<K extends LedgerAction['kind']> = {
  sequence: number
  action: LedgerAction & { kind: K }
}

function lastOfKind<K extends LedgerAction['kind']>(
  entries: readonly LedgerEntry[],
  kind: K,
): LastOf<K>[] {
  const last = new Map<string, LastOf<K>>()
  for (const { sequence, action } of entries) {
    if (isOfKind(action, kind)) last.set(action.target, { sequence, action })
  }
  return [...last.values()]
}

function isOfKind<K extends LedgerAction['kind']>(
  action: LedgerAction,
  kind: K,
): action is LedgerAction & { kind: K } {
  return action.kind === kind
}
