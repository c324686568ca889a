import { CopyButton } from '#components/ui/controls.tsx'

type BadgeLineProps = {
  path: string
  markdown: string
  /** Placeholder in the Markdown, replaced by this site's address in the browser. */
  origin: string
}

/** An entry's badge and the Markdown to embed it in a README. */
export function BadgeLine({ path, markdown, origin }: BadgeLineProps) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      {/* biome-ignore lint/performance/noImgElement: the very SVG that a README will show. */}
      <img alt="Badge of this entry" className="h-5 max-w-full" src={path} />
      <CopyButton label="Copy badge" origin={origin} text={markdown} />
    </div>
  )
}
