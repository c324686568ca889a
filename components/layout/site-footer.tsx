import { UNKNOWN } from '#components/format/number.ts'

/** Version and licence: what a reader needs to cite a number. */
export function SiteFooter({ version }: { version: string | null }) {
  return (
    <footer className="mt-16 border-line border-t">
      <div className="mx-auto flex max-w-7xl flex-wrap justify-between gap-x-6 gap-y-1 px-4 py-4 text-muted text-xs">
        <p>
          Proofboard {version ?? UNKNOWN}. A number is published only when its evidence supports it.
        </p>
        <p className="max-sm:hidden">
          Press <kbd>?</kbd> for the keyboard
        </p>
      </div>
    </footer>
  )
}
