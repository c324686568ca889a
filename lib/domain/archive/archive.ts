import { z } from 'zod'
import { canonicalJson, type Digest, digestSchema } from '../digest/index.ts'
import { findBrokenLink, type LedgerEntry, ledgerEntrySchema } from '../ledger/index.ts'
import {
  type Evaluation,
  type RegradeLine,
  relativePathSchema,
  type SubmittedRun,
  slugSchema,
} from '../record/index.ts'
import type { Suite } from '../tasks/index.ts'
import { formatIssues, parseJson } from '../text/index.ts'

/** The artifacts from which every published number can be computed again. */
export type Archive = {
  /** Every version of every suite, each once. */
  suites: readonly Suite[]
  /** The current version by suite id. */
  current: ReadonlyMap<string, Digest>
  runs: readonly SubmittedRun[]
  /** Evaluations of solutions from elsewhere; absent = none. */
  evaluations?: readonly Evaluation[]
  /** Results of regrading stored solutions here, by run id, oldest first; absent = nothing was regraded. */
  regrades?: ReadonlyMap<string, readonly RegradeLine[]>
  /** Null = no ledger: every run counts, and none is verified. */
  entries: readonly LedgerEntry[] | null
}

/** A failed check: its place, and the problem in one sentence. */
export type Flaw = { place: string; problem: string }

export const ARCHIVE_KIND = 'proofboard-archive'

/** `manifest.json` of an exported archive: every other file with its digest and size. */
export const manifestSchema = z.object({
  kind: z.literal(ARCHIVE_KIND),
  schemaVersion: z.literal(1),
  currentSuites: z.record(slugSchema, digestSchema),
  files: z.array(
    z.object({
      path: relativePathSchema,
      digest: digestSchema,
      bytes: z.number().int().nonnegative(),
    }),
  ),
})
export type Manifest = z.infer<typeof manifestSchema>

const LEDGER_KIND = 'proofboard-ledger'

/** The whole ledger as one file. */
export const ledgerDocumentSchema = z.strictObject({
  kind: z.literal(LEDGER_KIND),
  schemaVersion: z.literal(1),
  /** The last entry's hash; null = the ledger is empty. */
  head: digestSchema.nullable(),
  entries: z.array(ledgerEntrySchema),
})

/** Serialises the whole ledger as one file: what the ledger page offers and `ledger verify --from` takes. */
export function serializeLedger(entries: readonly LedgerEntry[]): string {
  const head = entries.at(-1)?.hash ?? null
  return canonicalJson({ kind: LEDGER_KIND, schemaVersion: 1, head, entries })
}

/** Yields the same bytes for entries that are read piece by piece; `head` = the hash of the last entry. */
export async function* streamLedger(
  pieces: AsyncIterable<readonly LedgerEntry[]>,
  head: string | null,
): AsyncGenerator<string> {
  let before = '{"entries":['
  for await (const entries of pieces) {
    for (const entry of entries) {
      yield `${before}${canonicalJson(entry)}`
      before = ','
    }
  }
  const rest = canonicalJson({ kind: LEDGER_KIND, schemaVersion: 1, head })
  yield `${before === ',' ? '' : before}],${rest.slice(1)}`
}

/** Reads a ledger file and checks its chain. An unreadable file gives no entries and a flaw. */
export function parseLedger(text: string): { entries: LedgerEntry[]; flaws: Flaw[] } {
  const input = parseJson(text)
  if (input === undefined)
    return { entries: [], flaws: [{ place: 'ledger', problem: 'is not JSON' }] }
  const parsed = ledgerDocumentSchema.safeParse(input)
  if (!parsed.success) return { entries: [], flaws: formatIssues(parsed.error.issues).map(asFlaw) }
  const { entries, head } = parsed.data
  return { entries, flaws: findChainFlaws(entries, head) }
}

/** Returns the flaws of a chain that should end in `head`; `undefined` = the end was not recorded. */
export function findChainFlaws(entries: readonly LedgerEntry[], head?: string | null): Flaw[] {
  const broken = findBrokenLink(entries)
  if (broken) return [{ place: `entry ${broken.place}`, problem: broken.problem }]
  if (head === undefined || head === (entries.at(-1)?.hash ?? null)) return []
  return [{ place: 'head', problem: "is not the last entry's hash: entries are missing or new" }]
}

function asFlaw({ path, message }: { path: string; message: string }): Flaw {
  const place = path.replace(/^entries\.(\d+)/, (_, index) => `entry ${Number(index) + 1}`)
  return { place: place === '(root)' ? 'ledger' : place, problem: message }
}
