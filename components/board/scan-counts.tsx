import type { ScanCounts } from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { ScannerName } from '#lib/domain/transcript/index.ts'
import { tabHref } from '../episode/episode-tabs.ts'
import { Section } from '../ui/layout.tsx'

const LABELS: Record<ScannerName, string> = {
  'read-tests': 'Read a test file, or named one in a tool call',
  'read-reference': 'Tried to read a reference solution',
  'searched-task': 'Searched for the name of the task',
  'test-constants': 'Wrote constants of the tests',
  'gave-up': 'Gave up in its last response',
  loop: 'Repeated the same tool call',
}

/** Findings of scanners in an agent's transcripts; renders nothing if there are none. */
export function ScanCountList({ scans }: { scans: ScanCounts | null }) {
  if (!scans) return null
  return (
    <Section id="transcripts" title="Noticed in transcripts">
      <p className="text-muted">
        Scanners read the latest {countOf(scans.scanned, 'transcript')}. Their findings are for
        people to review and do not affect the score.
      </p>
      {scans.counts.length === 0 ? (
        <p className="mt-1">Nothing was noticed.</p>
      ) : (
        <ul className="mt-1 space-y-1">
          {scans.counts.map(({ scanner, episodes, latest }) => (
            <li key={scanner}>
              {LABELS[scanner]}: {countOf(episodes, 'episode')} (
              <a className="link" href={tabHref(latest, 'transcript')}>
                latest
              </a>
              )
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
