import Link from 'next/link'
import { Button } from '#components/ui/button.tsx'
import { LEDGER_KINDS } from '#lib/domain/ledger/ledger-action.ts'
import type { LedgerFilter } from '#lib/domain/views/ledger-view.ts'
import { ledgerHref } from './ledger-filter.ts'
import { LEDGER_WORDS } from './ledger-words.ts'

const PILL =
  'inline-flex h-8 items-center rounded border border-line bg-surface px-2.5 hover:border-line-strong aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft'

/** Narrows the ledger to one kind or one target; the choice stands in the address. */
export function LedgerFilters({ kind, target }: Pick<LedgerFilter, 'kind' | 'target'>) {
  return (
    <div className="mt-6 mb-3 flex flex-wrap items-start gap-x-4 gap-y-2">
      <nav aria-label="Kind of entry" className="flex flex-wrap gap-1">
        <Link
          aria-current={kind === null ? 'true' : undefined}
          className={PILL}
          href={ledgerHref({ target })}
          prefetch={false}
        >
          All
        </Link>
        {LEDGER_KINDS.map((one) => (
          <Link
            aria-current={kind === one ? 'true' : undefined}
            className={PILL}
            href={ledgerHref({ kind: one, target })}
            key={one}
            prefetch={false}
            title={LEDGER_WORDS[one].meaning}
          >
            {LEDGER_WORDS[one].word}
          </Link>
        ))}
      </nav>
      <form action="/ledger" className="flex min-w-0 flex-1 basis-72 gap-1 lg:max-w-96">
        {kind ? <input name="kind" type="hidden" value={kind} /> : null}
        <label className="min-w-0 flex-1">
          <span className="sr-only">Target: a run, row, episode or suite</span>
          <input
            className="h-8 w-full rounded border border-line-strong bg-surface px-2"
            data-search
            defaultValue={target}
            key={target}
            name="target"
            placeholder="run_…, row_…, ep_… or a suite"
            type="search"
          />
        </label>
        <Button type="submit">Show</Button>
      </form>
    </div>
  )
}
