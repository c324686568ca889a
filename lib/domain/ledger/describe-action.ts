import { formatVoucher } from '../voucher.ts'
import type { LedgerAction } from './ledger-action.ts'

/** What an entry says beyond its kind and target, in a few words; empty when there is nothing. */
export function describeAction(action: LedgerAction): string {
  switch (action.kind) {
    case 'include': {
      const { provenance, shard, voucher } = action
      return [
        `provenance ${provenance}`,
        ...(voucher === undefined || voucher === 'manual' ? [] : [formatVoucher(voucher)]),
        ...(shard ? [`part ${shard.index} of ${shard.count}`] : []),
      ].join(', ')
    }
    case 'seal-run':
      return `${action.episodes} ${action.episodes === 1 ? 'episode' : 'episodes'}`
    case 'rescore':
      return `${action.from} → ${action.to}`
    case 'task-version': {
      const { changed, added, removed } = action
      const parts = Object.entries({ changed, added, removed })
        .filter(([, ids]) => ids.length > 0)
        .map(([word, ids]) => `${ids.length} ${word}`)
      return `tasks: ${parts.join(', ') || 'the same'}`
    }
    case 'remove':
    case 'invalidate':
    case 'reinstate':
    case 'resolve-findings':
      return ''
  }
}
