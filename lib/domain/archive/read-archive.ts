import {
  type Evaluation,
  evaluationSchema,
  parseAnyBundle,
  type RegradeLine,
  regradeLineSchema,
  runOfBundle,
  type SubmittedRun,
} from '../record/index.ts'
import { type Suite, suiteSchema } from '../tasks/index.ts'
import { parseJson, problemLines } from '../text/index.ts'
import { type Archive, type Flaw, parseLedger } from './archive.ts'

/** A run's evaluations of its solutions on the server. */
export const EVALUATIONS_FILE = 'evaluations.json'
/** A run's regrades of its solutions on the server. */
export const EXPORTED_REGRADES = 'regrades.json'

type Texts = ReadonlyMap<string, string>

/**
 * Reads an exported archive from the texts of its files, by path. Each is parsed again; an unreadable one is a flaw.
 */
export function readArchive(
  texts: Texts,
  currentSuites: Readonly<Record<string, Suite['digest']>>,
): { archive: Archive & { entries: NonNullable<Archive['entries']> }; flaws: Flaw[] } {
  const flaws: Flaw[] = []
  const suites: Suite[] = []
  const runs: SubmittedRun[] = []
  for (const [path, text] of texts) {
    if (path.startsWith('suites/')) {
      const parsed = suiteSchema.safeParse(parseJson(text))
      if (parsed.success) suites.push(parsed.data)
      else flaws.push({ place: path, problem: 'is not a suite' })
    } else if (path.endsWith('/result.json')) {
      const parsed = parseAnyBundle(parseJson(text))
      if (parsed.ok) runs.push(runOfBundle(parsed.value))
      else flaws.push({ place: path, problem: problemLines(parsed.problems, 3).join('; ') })
    }
  }
  const evaluations = readEvaluations(texts, flaws)
  const regrades = readRegrades(texts, flaws)
  const ledger = parseLedger(texts.get('ledger.json') ?? '')
  const current = new Map(Object.entries(currentSuites))
  const archive = { suites, current, runs, evaluations, regrades, entries: ledger.entries }
  return { archive, flaws: [...flaws, ...ledger.flaws] }
}

function readEvaluations(texts: Texts, flaws: Flaw[]): Evaluation[] {
  return [...texts].flatMap(([path, text]) => {
    if (!path.endsWith(`/${EVALUATIONS_FILE}`)) return []
    const parsed = evaluationSchema.array().safeParse(parseJson(text))
    if (!parsed.success) flaws.push({ place: path, problem: 'contains no evaluations' })
    return parsed.data ?? []
  })
}

function readRegrades(texts: Texts, flaws: Flaw[]): Map<string, RegradeLine[]> {
  const regrades = new Map<string, RegradeLine[]>()
  for (const [path, text] of texts) {
    const [, runId] = /^runs\/([^/]+)\/regrades\.json$/.exec(path) ?? []
    if (runId === undefined) continue
    const parsed = regradeLineSchema.array().safeParse(parseJson(text))
    if (parsed.success) regrades.set(runId, parsed.data)
    else flaws.push({ place: path, problem: 'contains no regrades' })
  }
  return regrades
}
