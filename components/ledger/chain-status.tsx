import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { plural } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { Command } from '#components/ui/command.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import type { LedgerView } from '#lib/domain/views/ledger-view.ts'

/** Whether the chain holds, and the hash to note down: who has it can tell later that nothing was taken out. */
export function ChainStatus({ view }: { view: LedgerView }) {
  const { holds, head, total, broken } = view
  const Icon = holds ? ShieldCheck : ShieldAlert
  return (
    <section aria-label="Chain" className="rounded border border-line bg-surface px-4 py-3">
      <p className="flex flex-wrap items-center gap-2 text-base">
        <Icon aria-hidden className={holds ? 'text-good' : 'text-bad'} size={18} />
        <strong className="font-semibold">
          {holds ? 'The chain holds' : 'The chain is broken'}
        </strong>
        <span className="untrusted text-muted">
          {holds
            ? `${plural(total, 'entry', 'entries')}, each with the hash of the one before`
            : visibleText(broken ?? '')}
        </span>
      </p>
      {head ? (
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <span className="text-muted">Note this down, hash of entry {head.sequence}:</span>
          <code className="untrusted min-w-0 select-all text-xs">{head.hash}</code>
          <CopyButton label="Copy hash" text={head.hash} />
        </div>
      ) : null}
      <p className="mt-2 text-muted">
        <a className="link" download="ledger.json" href="/api/v1/ledger.json">
          Download the whole ledger
        </a>{' '}
        and check it on your own machine:
      </p>
      <div className="mt-1">
        <Command lines={['npx proofboard ledger verify --from ledger.json']} />
      </div>
    </section>
  )
}
