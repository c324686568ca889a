import type { EvidenceLabel } from '../board/board-row.ts'

/** Whether the gate lets this number be quoted: measured plainly or under faults. */
export function isClaim(label: EvidenceLabel): boolean {
  return label === 'primary' || label === 'stress'
}
