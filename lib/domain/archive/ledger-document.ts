import { z } from 'zod'
import { canonicalJson } from '../canonical-json.ts'
import { digestSchema } from '../digest.ts'
import { findBrokenLink } from '../ledger/find-broken-link.ts'
import { type LedgerEntry, ledgerEntrySchema } from '../ledger/ledger-entry.ts'
import { formatIssues } from '../problem.ts'
import type { Flaw } from './archive.ts'

const LEDGER_KIND = 'proofboard-ledger'

/** The whole ledger as one file. */
export const ledgerDocumentSchema = z.strictObject({
  kind: z.literal(LEDGER_KIND),
  schemaVersion: z.literal(1),
  /** The last entry's hash; null = the ledger is empty. */
  head: digestSchema.nullable(),
  entries: z.array(ledgerEntrySchema),
})

/** The whole ledger as one file: what the ledger page offers and `ledger verify --from` takes. */
export function serializeLedger(entries: readonly LedgerEntry[]): string {
  const head = entries.at(-1)?.hash ?? null
  return canonicalJson({ kind: LEDGER_KIND, schemaVersion: 1, head, entries })
}

/** Reads a ledger file and checks its chain; a file that cannot be read has no entries and says why. */
export function parseLedger(text: string): { entries: LedgerEntry[]; flaws: Flaw[] } {
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch {
    return { entries: [], flaws: [{ place: 'ledger', problem: 'is not JSON' }] }
  }
  const parsed = ledgerDocumentSchema.safeParse(input)
  if (!parsed.success) return { entries: [], flaws: formatIssues(parsed.error.issues).map(asFlaw) }
  const { entries, head } = parsed.data
  return { entries, flaws: findChainFlaws(entries, head) }
}

/** What is wrong with a chain that should end in `head`; `undefined` = nobody noted its end. */
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
