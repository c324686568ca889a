import Link from 'next/link'
import type { ScanCounts } from '#lib/domain/api/index.ts'
import type { ScannerName } from '#lib/domain/transcript/index.ts'
import { tabHref } from '../episode/episode-tabs.ts'
import { plural } from '../ui/format.ts'
import { Section } from '../ui/layout.tsx'

const LABELS: Record<ScannerName, string> = {
  'read-tests': 'named a test file in a tool call',
  'read-reference': 'reached for a reference solution',
  'searched-task': 'searched for the task’s name',
  'test-constants': 'repeated constants of the tests',
  'gave-up': 'gave up in its last answer',
  loop: 'repeated the same tool call',
}

/** What scanners noticed in the transcripts of an agent; renders nothing when there are none. */
export function ScanCountList({ scans }: { scans: ScanCounts | null }) {
  if (!scans) return null
  return (
    <Section id="transcripts" title="Noticed in transcripts">
      <p className="text-muted">
        By scanners, in the latest {plural(scans.scanned, 'transcript')}, for people to review. They
        do not affect the score.
      </p>
      {scans.counts.length === 0 ? (
        <p className="mt-1">Nothing was noticed.</p>
      ) : (
        <ul className="mt-1 space-y-1">
          {scans.counts.map(({ scanner, episodes, latest }) => (
            <li key={scanner}>
              {plural(episodes, 'episode')} {LABELS[scanner]} (
              <Link className="link" href={tabHref(latest, 'transcript')} prefetch={false}>
                latest
              </Link>
              )
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
