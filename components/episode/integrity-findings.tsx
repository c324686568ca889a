import { visibleText } from '#components/format/visible-text.ts'
import type { Episode } from '#lib/domain/episode.ts'
import { findingMeaning } from './finding-meaning.ts'

/** What the tamper detectors saw, and which protected files were touched. */
export function IntegrityFindings({ integrity }: Pick<Episode, 'integrity'>) {
  if (integrity === null)
    return <p className="text-muted">Another program measured it: nobody here watched its files.</p>
  const { findings, protectedFilesTouched } = integrity
  if (findings.length === 0 && protectedFilesTouched.length === 0) {
    return <p className="text-muted">No detector found anything; no protected file was touched.</p>
  }
  return (
    <ul className="border-line border-b">
      {findings.map(({ code, detail }) => (
        <li className="untrusted border-line border-t py-1.5" key={`${code} ${detail}`}>
          <code className="mr-2 text-bad text-xs">{visibleText(code)}</code>
          {findingMeaning(code)}
          <span className={findingMeaning(code) === null ? undefined : 'block text-muted text-xs'}>
            {visibleText(detail)}
          </span>
        </li>
      ))}
      {protectedFilesTouched.map(({ path, change }) => (
        <li className="untrusted border-line border-t py-1.5" key={path}>
          <code className="mr-2 text-warn text-xs">{change}</code>
          <span className="font-mono text-xs">{visibleText(path)}</span>, a protected file; restored
          before the gate
        </li>
      ))}
    </ul>
  )
}
