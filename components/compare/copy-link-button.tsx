'use client'

import { CopyButton } from '#components/ui/copy-button.tsx'

/** Copies the whole address of a path of this site. */
export function CopyLinkButton({ path }: { path: string }) {
  const text = typeof location === 'undefined' ? path : new URL(path, location.href).href
  return <CopyButton label="Copy link" text={text} />
}
