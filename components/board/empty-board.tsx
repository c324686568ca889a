import { Command } from '#components/ui/command.tsx'
import { Notice } from '#components/ui/notice.tsx'

/** Before the first episode: what to do to get one. */
export function EmptyBoard({ suiteId }: { suiteId: string | null }) {
  if (suiteId === null) {
    return (
      <Notice title="No suite is installed yet">
        <p>Suites are read from the exercises folder when the server starts. Import one with:</p>
        <Command
          lines={['npx proofboard suite import exercism --from <dir or git url> --ref <sha>']}
        />
      </Notice>
    )
  }
  return (
    <Notice title="No episode of this suite is sealed yet">
      <p>
        Rows appear here as soon as the first episode is sealed. A control needs no account and no
        key:
      </p>
      <Command lines={[`npx proofboard run --suite ${suiteId} --subject reference`]} />
    </Notice>
  )
}
