type SavePngProps = { href: string; name: string }

/** Saves a chart's file as an image of twice its size: the page's own script draws it (../ui/behaviour/save-png.ts). */
export function SavePng({ href, name }: SavePngProps) {
  return (
    <button className="link" data-name={name} data-png={href} type="button">
      <span aria-live="polite" data-label>
        PNG
      </span>
    </button>
  )
}
