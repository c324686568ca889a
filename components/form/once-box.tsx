import { CopyButton } from '#components/ui/copy-button.tsx'
import type { ShownOnce } from '#lib/domain/action-result.ts'

/** A secret that is shown once. */
export function OnceBox({ label, text }: ShownOnce) {
  return (
    <div className="space-y-2 rounded border border-line-strong bg-surface p-3">
      <p className="font-medium">{label}</p>
      <code className="block select-all break-all">{text}</code>
      <CopyButton label="Copy" text={text} />
    </div>
  )
}
