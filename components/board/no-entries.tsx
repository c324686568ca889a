import { Notice } from '../ui/notice.tsx'

/** Shown instead of an empty list of entries. */
export function NoEntries() {
  return (
    <Notice title="No entries yet">
      <p>
        Entries appear when the first episode of a suite is finished.{' '}
        <a className="link" href="/plan">
          Plan a run
        </a>
      </p>
    </Notice>
  )
}
