import { CopyButton } from './copy-button.tsx'

/** Shell lines with a button that copies them. */
export function Command({
  lines,
  label = 'Copy command',
}: {
  lines: readonly string[]
  label?: string
}) {
  return (
    <div className="flex flex-wrap items-start gap-2 rounded border border-line bg-sunken p-2">
      <pre className="untrusted min-w-0 flex-1 basis-64 whitespace-pre-wrap px-1 py-1.5 text-ink text-xs">
        {lines.join('\n')}
      </pre>
      <CopyButton label={label} text={lines.join('\n')} />
    </div>
  )
}
