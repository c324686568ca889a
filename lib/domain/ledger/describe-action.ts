import { formatVoucher } from '../voucher.ts'
import type { LedgerAction } from './ledger-action.ts'

/** What an entry says beyond its kind and target, in a few words; empty when there is nothing. */
export function describeAction(action: LedgerAction): string {
  switch (action.kind) {
    case 'include':
      return describeInclude(action)
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
    case 'register': {
      const { expected, sender, plan } = action
      const runs = `${expected} ${expected === 1 ? 'run' : 'runs'}`
      return `${runs} of ${plan ? plan.subject.name : 'a plan known by its digest'}, by ${sender.name}`
    }
    case 'remove':
    case 'invalidate':
    case 'reinstate':
    case 'resolve-findings':
      return ''
  }
}

function describeInclude({ provenance, shard, voucher }: LedgerAction & { kind: 'include' }) {
  return [
    `provenance ${provenance}`,
    ...(voucher === undefined || voucher === 'manual' ? [] : [formatVoucher(voucher)]),
    ...(shard ? [`part ${shard.index} of ${shard.count}`] : []),
  ].join(', ')
}
