import { countOf } from '../text/index.ts'
import type { CopyReport } from './static-copy.ts'

const MAX_FLAWS = 200

/** A report in words: what was checked, what does not hold, and what no such check can prove. */
export function describeCopyReport(report: CopyReport): {
  isWhole: boolean
  title: string
  lines: string[]
} {
  const { flaws, files, bytes, entries, episodes, evidence, keyId, isSigned, at } = report
  if (flaws.length > 0) {
    const more = flaws.length - MAX_FLAWS
    return {
      isWhole: false,
      title: `Changed: ${countOf(flaws.length, 'problem')} found.`,
      lines: [
        ...flaws.slice(0, MAX_FLAWS).map(({ place, problem }) => `${place} ${problem}`),
        ...(more > 0 ? [`and ${more} more`] : []),
      ],
    }
  }
  return {
    isWhole: true,
    title: `Unchanged: all ${countOf(files, 'file')} of this copy are as they were exported.`,
    lines: [
      `Board of ${at}: ${countOf(files, 'file')}, ${countOf(bytes, 'byte')}, each with the size and SHA-256 of manifest.json.`,
      `Ledger: ${countOf(entries, 'entry')}, each continues the one before; the last is the one that manifest.json names.`,
      `Envelopes: the seals of ${countOf(episodes, 'episode')} fit, and every run has exactly the episodes that the ledger says were sealed.`,
      `Evidence files: ${evidence.here} are here and are those that the envelopes name; ${evidence.absent} are not part of this copy.`,
      isSigned === null
        ? `Signature: not checked, this browser has no Ed25519 (key ${keyId}).`
        : `Signature: valid for key ${keyId}.`,
      'Not proven: that this key belongs to the board you mean. Anyone who controls this host could export and sign another copy, with this page. Compare the key with /api/v1/ledger/key of the original, or with a ledger head that you saved earlier.',
    ],
  }
}
