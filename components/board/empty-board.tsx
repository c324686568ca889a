import { Command } from '#components/ui/command.tsx'
import { Notice } from '#components/ui/notice.tsx'

/** Empty state: how to get the first results. */
export function EmptyBoard({ suiteId }: { suiteId: string | null }) {
  if (suiteId === null) {
    return (
      <Notice title="No suite is installed">
        <p>
          Suites are loaded from the exercises folder when the server starts. To import one, run:
        </p>
        <Command
          lines={['npx proofboard suite import exercism --from <dir or git url> --ref <sha>']}
        />
      </Notice>
    )
  }
  return (
    <Notice title="No results for this suite yet">
      <p>
        Entries appear when the first episode is finished. To run a control, which needs no account
        and no API key:
      </p>
      <Command lines={[`npx proofboard run --suite ${suiteId} --subject reference`]} />
    </Notice>
  )
}
